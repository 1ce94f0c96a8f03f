from pathlib import Path

from weft.engines import EngineError
from weft.engines.step import step

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        raise EngineError(snakemake.params.reason)

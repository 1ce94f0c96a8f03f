from pathlib import Path

from weft.engines.step import step
from weft.images.record import write_lock

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        write_lock()

from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.database import collect

        collect(
            snakemake.wildcards.experiment,
            results=PROJECT.results.path,
            papers=PROJECT.configs / "paper",
            database=PROJECT.results.database,
        )

from pathlib import Path

from weft.database import collect
from weft.engines.step import step

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        collect(
            snakemake.wildcards.experiment,
            results=Path("results"),
            papers=Path("configs/paper"),
            database=Path("results/weft.duckdb"),
        )

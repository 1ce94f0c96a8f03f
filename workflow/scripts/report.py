from pathlib import Path

from weft.engines.step import step
from weft.report.pages.build import build_report

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        build_report(
            Path(snakemake.input.plan),
            database=Path("results/weft.duckdb"),
            configs=Path("configs"),
            out=Path(snakemake.output[0]),
        )

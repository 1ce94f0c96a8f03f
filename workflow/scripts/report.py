from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.report.pages.build import build_report

        build_report(
            Path(snakemake.input.plan),
            database=PROJECT.results.database,
            configs=PROJECT.configs,
            out=Path(snakemake.output[0]),
        )

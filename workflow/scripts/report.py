from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.report.pages.job import make_report

        make_report(Path(snakemake.input.plan), Path(snakemake.output[0]), PROJECT)

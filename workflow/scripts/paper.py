from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.report.pages.job import make_paper

        plans = [Path(plan) for plan in snakemake.input.plans]
        make_paper(snakemake.wildcards.paper, plans, Path(snakemake.output[0]), PROJECT)

from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.report.pages.build import build_paper

        plans = [Path(plan) for plan in snakemake.input.plans]
        paper, out = snakemake.wildcards.paper, Path(snakemake.output[0])
        build_paper(paper, plans, PROJECT.results.database, PROJECT.configs, out)

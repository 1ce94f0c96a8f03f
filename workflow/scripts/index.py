from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.report.pages.build import build_index

        out, database = Path(snakemake.output[0]), PROJECT.results.database
        plans = PROJECT.results.plans()
        build_index(out.parent, plans, database, out, snakemake.params.broken)

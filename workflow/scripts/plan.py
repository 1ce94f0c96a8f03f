from pathlib import Path

from weft.files.layout import RELATIVE as PROJECT
from weft.prepare import overview

if __name__ == "__main__":
    plans = map(Path, snakemake.input.plans)
    print(overview(plans, PROJECT.results.path, snakemake.params.ways), flush=True)

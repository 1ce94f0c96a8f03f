from pathlib import Path

from weft.files.layout import RELATIVE as PROJECT
from weft.prepare import overview

if __name__ == "__main__":
    print(overview(map(Path, snakemake.input.plans), PROJECT.results.path), flush=True)

from pathlib import Path

from weft.prepare import overview

if __name__ == "__main__":
    print(overview(map(Path, snakemake.input.plans), Path("results")), flush=True)

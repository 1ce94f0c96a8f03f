from pathlib import Path

from weft.engines.step import step
from weft.images.packages import lock_packages

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        lock_packages()

from pathlib import Path

from weft.engines.step import step
from weft.images.build import ensure_image

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        ensure_image(snakemake.wildcards.image.rpartition("-")[0])

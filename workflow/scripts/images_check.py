from pathlib import Path

from weft.engines.step import step
from weft.images.apptainer import announce
from weft.images.record import differences

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        for line in differences():
            announce(f"{line}; `snakemake lock_images` records what is here")

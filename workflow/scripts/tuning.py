from pathlib import Path

from weft.engines.step import step
from weft.files.layout import RELATIVE as PROJECT

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.tuning import write_tuning

        plan, out = Path(snakemake.input.plan), Path(snakemake.output[0])
        write_tuning(plan, PROJECT.results.database, PROJECT.configs, out)

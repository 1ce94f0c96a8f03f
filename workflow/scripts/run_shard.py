from pathlib import Path

from weft.engines.execute import run_shard
from weft.engines.step import step

if __name__ == "__main__":
    calibration = snakemake.input.get("calibration")
    log = Path(snakemake.log[0])
    with step(log):
        fitted = Path(calibration) if calibration else None
        folder = Path(snakemake.output.status).parent
        run_shard(Path(snakemake.input.shard), fitted, folder, snakemake.threads, log)

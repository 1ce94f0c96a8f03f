from pathlib import Path

from weft.engines.step import step

if __name__ == "__main__":
    shard, log = Path(snakemake.input.shard), Path(snakemake.log[0])
    fitted, placement, image = (
        Path(path) if (path := snakemake.input.get(name)) else None
        for name in ("calibration", "placement", "image")
    )
    with step(log):
        from weft.engines.execute import run_shard

        folder = Path(snakemake.output.status).parent
        run_shard(shard, fitted, image, folder, snakemake.threads, log, placement)

from pathlib import Path

from weft.engines.step import step

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.analysis.calibration import calibrate

        calibrate([Path(path) for path in snakemake.input.metrics], Path(snakemake.output[0]))

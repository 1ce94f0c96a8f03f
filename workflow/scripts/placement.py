from pathlib import Path

from weft.engines.step import step

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.engines.measured_hosts import write_placements

        folders = [Path(path).parent for path in snakemake.input.metrics]
        write_placements(folders, Path(snakemake.output[0]))

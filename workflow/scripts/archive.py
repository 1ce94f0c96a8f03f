from pathlib import Path

from weft.engines.step import step

if __name__ == "__main__":
    with step(Path(snakemake.log[0])):
        from weft.archive.pack import pack_archive

        plans, sources = (
            [Path(path) for path in snakemake.input[name]] for name in ("plans", "sources")
        )
        out, params = Path(snakemake.output[0]), snakemake.params
        pack_archive(out, plans, sources, wheels=params.wheels, anonymous=params.anonymous)

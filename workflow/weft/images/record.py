"""`containers/images.lock`: what the images of this checkout are, in a file that git tracks."""

from __future__ import annotations

from pathlib import Path

from weft.images.build import parents_of_others
from weft.images.definition import FOLDER, PROJECT, names
from weft.images.digest import image_file
from weft.images.sidecar import Sidecar, read_sidecar

LOCK = FOLDER / "images.lock"
HEADER = """\
# What `snakemake containers` built: TOML, written by that command. Two machines with the same
# squashfs_sha256 have the same files in the image.
"""
KEYS = ("image", "definition_sha256", "inputs_sha256", "squashfs_sha256", "apptainer", "mksquashfs")


def engine_images(wildcards: object = None, root: Path = PROJECT) -> list[str]:
    """The images that no other starts from, as paths below `root`; an input function for rules.

    Raises ImageError when a definition is wrong.
    """
    finals = [name for name in names(root) if name not in parents_of_others(root)]
    return [str(image_file(name, root).relative_to(root)) for name in finals]


def write_lock(root: Path = PROJECT) -> None:
    """Write the lock from the sidecars of the images that are there."""
    found = [(name, read_sidecar(image_file(name, root))) for name in names(root)]
    entries = [_entry(name, sidecar) for name, sidecar in found if sidecar]
    path = root / LOCK
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.write_text("\n".join([HEADER, *entries]))
    unfinished.replace(path)


def _entry(name: str, sidecar: Sidecar) -> str:
    return f"[{name}]\n" + "".join(f'{key} = "{getattr(sidecar, key)}"\n' for key in KEYS)

"""`containers/images.lock`: what the images of this checkout are, in a file that git tracks."""

from __future__ import annotations

import tomllib
from pathlib import Path

from weft.files import replace_text
from weft.images.build import parents_of_others
from weft.images.definition import FOLDER, PROJECT, names
from weft.images.digest import image_file
from weft.images.sidecar import read_sidecar

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
    """Write the lock from the sidecars of the images that are there.

    Of an image that is not there, what the lock says of the same one stays.
    """
    path = root / LOCK
    known = tomllib.loads(path.read_text()) if path.exists() else {}
    entries = [HEADER]
    for name in names(root):
        image = image_file(name, root)
        sidecar = read_sidecar(image)
        facts = {key: getattr(sidecar, key) for key in KEYS} if sidecar else known.get(name, {})
        if facts.get("image") == image.name:
            entries.append(f"[{name}]\n" + "".join(f'{k} = "{facts[k]}"\n' for k in KEYS))
    replace_text(path, "\n".join(entries))

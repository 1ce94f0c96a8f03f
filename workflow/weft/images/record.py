"""`containers/images.lock`: what the images of this checkout are, in a file that git tracks.

Only `snakemake lock_images` writes it: a build that changed a tracked file would make every run
after it one of changed sources.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from weft.files import replace_text
from weft.files.layout import CLONE
from weft.images.build import parents_of_others
from weft.images.definition import FOLDER, names
from weft.images.digest import image_file
from weft.images.errors import ImageError
from weft.images.sidecar import read_sidecar

LOCK = FOLDER / "images.lock"
HEADER = """\
# What `snakemake containers` built: TOML, written by `snakemake lock_images`. Two machines with the
# same squashfs_sha256 have the same files in the image.
"""
KEYS = ("image", "definition_sha256", "inputs_sha256", "squashfs_sha256", "apptainer", "mksquashfs")


def engine_images(wildcards: object = None, root: Path = CLONE) -> list[str]:
    """The images that no other starts from, as paths below `root`; an input function for rules.

    Raises ImageError when a definition is wrong.
    """
    finals = [name for name in names(root) if name not in parents_of_others(root)]
    return [str(image_file(name, root).relative_to(root)) for name in finals]


def write_lock(root: Path = CLONE) -> None:
    """Write the lock from the sidecars of the images that are there.

    Of an image that is not there, what the lock says of the same one stays. Raises ImageError where
    the lock cannot be read.
    """
    known = _known(root)
    entries = [HEADER]
    for name in names(root):
        image = image_file(name, root)
        facts = _facts(image) or known.get(name, {})
        if facts.get("image") == image.name:
            entries.append(f"[{name}]\n" + "".join(f'{k} = "{facts[k]}"\n' for k in KEYS))
    replace_text(root / LOCK, "\n".join(entries))


def differences(root: Path = CLONE) -> list[str]:
    """One line for each image that is there and not what the lock says.

    Raises ImageError where the lock cannot be read.
    """
    known = _known(root)
    found = []
    for name in names(root):
        image = image_file(name, root)
        facts, wanted = _facts(image), known.get(name, {})
        if not facts or facts == wanted:
            continue
        if wanted.get("image") != image.name:
            found.append(f"{LOCK} has no entry for {image.name}: its sources are newer")
        elif facts["squashfs_sha256"] != wanted["squashfs_sha256"]:
            programs = f"Apptainer {facts['apptainer']}, mksquashfs {facts['mksquashfs']}"
            others = f"{wanted['apptainer']} and {wanted['mksquashfs']}"
            found.append(
                f"{image.name}, made by {programs}, holds other files than the one in {LOCK} "
                f"(made by {others})"
            )
    return found


def _known(root: Path) -> dict[str, dict[str, str]]:
    """What the lock says; raises ImageError where a merge or a hand has left something else."""
    path = root / LOCK
    if not path.exists():
        return {}
    try:
        entries: Mapping[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _entry(name, entry) for name, entry in entries.items()}
    except ValueError as error:
        raise ImageError(
            f"{LOCK} is not what `snakemake lock_images` writes: {error}; restore it with"
            f" `git checkout HEAD -- {LOCK}`"
        ) from error


def _entry(name: str, entry: object) -> dict[str, str]:
    facts = entry if isinstance(entry, dict) else {}
    if wrong := [key for key in KEYS if not isinstance(facts.get(key), str)]:
        raise ValueError(f"{name} has no text for {', '.join(wrong)}")
    return {key: str(facts[key]) for key in KEYS}


def _facts(image: Path) -> dict[str, str]:
    sidecar = read_sidecar(image)
    return {key: getattr(sidecar, key) for key in KEYS} if sidecar else {}

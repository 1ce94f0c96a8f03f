"""The folder that a build sees as its project: exactly the inputs that its digest covers."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from weft.images.definition import Definition
from weft.images.digest import crates_of, input_files

EXECUTABLE = 0o755
READABLE = 0o644


def stage(
    definition: Definition,
    root: Path,
    folder: Path,
    *,
    parents: Mapping[str, Path],
    vendored: Mapping[Path, Path],
    pinned: bool,
) -> None:
    """Copy the inputs into `folder`, which must be empty, and link the parent images there.

    `vendored` maps a folder with a Cargo.lock to its vendored crates. Without `pinned` the apt
    lock is there but empty: whatever the mirror has is installed.
    """
    for file in input_files(definition, root):
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if str(file) == definition.lock and not pinned:
            target.touch()
        else:
            shutil.copyfile(root / file, target)
        executable = (root / file).stat().st_mode & 0o100
        target.chmod(EXECUTABLE if executable else READABLE)
    for entry in definition.inputs:
        if (crates := crates_of(entry)) is not None:
            shutil.copytree(vendored[crates], folder / entry)
    for name, image in parents.items():
        parent_link(folder, name).symlink_to(image.absolute())


def parent_link(folder: Path, name: str) -> Path:
    """Where a build finds a parent image: a name without digest, which ends up in the image."""
    return folder / f"{name}.sif"

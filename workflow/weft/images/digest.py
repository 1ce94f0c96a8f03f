"""Names that follow from contents: a changed source is another image, a touched file is not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weft.files.layout import CLONE
from weft.images.definition import FOLDER, Definition, read_definition
from weft.images.errors import ImageError

IMAGES = FOLDER / "images"
#: `containers/vendor/<folder>` stands for the crates that `<folder>/Cargo.lock` names.
VENDOR = FOLDER / "vendor"
#: Folders that hold what is built or only tests what is: no part of an input.
SKIPPED = ("target", "build", "tests")
DIGITS = 12


@dataclass(frozen=True, slots=True)
class Digests:
    """SHA-256 of an image's definition and of its inputs, and the short digest of everything."""

    definition_sha256: str
    inputs_sha256: str
    image: str


def image_file(name: str, root: Path = CLONE) -> Path:
    """Where the image `name` of the present sources is, or will be when it is built.

    Raises ImageError when there is no such definition, or when one of its inputs is missing.
    """
    return root / IMAGES / f"{name}-{digests(read_definition(name, root), root).image}.sif"


def digests(definition: Definition, root: Path = CLONE) -> Digests:
    """The digests of an image; its parents' are part of it.

    Raises ImageError when an input is missing or an image is its own parent.
    """
    return _digests(definition, root, ())


def _digests(definition: Definition, root: Path, children: tuple[str, ...]) -> Digests:
    if definition.name in children:
        raise ImageError(f"{definition.file}: starts from itself: {' → '.join(children)}")
    text = sha256(definition.text.encode()).hexdigest()
    inputs = sha256()
    for file in input_files(definition, root):
        content = (root / file).read_bytes()
        inputs.update(f"{file} {len(content)}\n".encode() + content)
    whole = sha256(f"definition {text}\ninputs {inputs.hexdigest()}\n".encode())
    for name in definition.parents:
        parent = read_definition(name, root)
        found = _digests(parent, root, (*children, definition.name))
        whole.update(f"parent {name} {found.image}\n".encode())
    return Digests(text, inputs.hexdigest(), whole.hexdigest()[:DIGITS])


def input_files(definition: Definition, root: Path = CLONE) -> list[Path]:
    """What the definition's `%files` take, sorted, relative to the project.

    Crates to vendor are represented by their lock. Raises ImageError when an input is missing.
    """
    found: set[Path] = set()
    for entry in definition.inputs:
        vendored = crates_of(entry)
        pattern = entry if vendored is None else str(vendored / "Cargo.lock")
        files = {file for path in sorted(root.glob(pattern)) for file in _below(path, root)}
        if not files:
            raise ImageError(
                f"{definition.file}: %files: there is no '{pattern}'; "
                "paths are relative to the project's folder"
            )
        found |= files
    return sorted(found)


def crates_of(entry: str) -> Path | None:
    """The folder whose crates an input stands for; None for a common input."""
    path = Path(entry)
    return path.relative_to(VENDOR) if path.is_relative_to(VENDOR) and path != VENDOR else None


def _below(path: Path, root: Path) -> Iterator[Path]:
    if path.is_file():
        yield path.relative_to(root)
        return
    # A build beside this walk removes folders in `target`: skipped folders are never entered.
    for at, folders, names in os.walk(path):
        folders[:] = [name for name in folders if _counts(name)]
        files = (Path(at, name) for name in names if _counts(name))
        yield from (file.relative_to(root) for file in files if file.is_file())


def _counts(name: str) -> bool:
    return not name.startswith(".") and name not in SKIPPED

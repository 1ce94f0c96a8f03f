"""`SHA256SUMS` beside executables, as `sha256sum` writes it: whether they are what was built.

`simulators/ranks` writes the same beside compiled programs, and `make build` beside simulators.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import file_digest
from pathlib import Path

from weft.files.replace import replace_text

SUMS = "SHA256SUMS"
_LINE = re.compile(r"([0-9a-f]{64}) [ *](.+)")


def write_sums(folder: Path, names: Iterable[str]) -> None:
    """Note what the files `names` of `folder` hold."""
    lines = [f"{sha256_of(folder / name)}  {name}\n" for name in sorted(names)]
    replace_text(folder / SUMS, "".join(lines))


def altered(folder: Path) -> Iterator[tuple[Path, str]]:
    """Each file of `folder` that is not as it was noted, with what is wrong; nothing where nothing
    was noted."""
    sums = folder / SUMS
    if not sums.is_file():
        return
    for line in sums.read_text(errors="replace").splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            yield sums, "is damaged"
        elif what := _wrong(folder / found[2], found[1]):
            yield folder / found[2], what


def alteration(file: Path) -> str | None:
    """What is wrong with one file; None where nothing is, and where nothing was noted of it."""
    try:
        lines = (file.parent / SUMS).read_text(errors="replace").splitlines()
    except OSError:
        return None
    noted = (found for line in lines if (found := _LINE.fullmatch(line)))
    return next((_wrong(file, found[1]) for found in noted if found[2] == file.name), None)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _wrong(path: Path, digest: str) -> str | None:
    try:
        return None if sha256_of(path) == digest else "was altered after it was built"
    except OSError as error:
        return f"is missing ({error.strerror})"

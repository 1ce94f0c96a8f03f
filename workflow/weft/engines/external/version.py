"""Digests of programs of others, and of the modules that drive them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from weft.files.tokens import content

DIGITS = 12
#: What a module consists of: Python, and what it compiles against a library.
_SOURCES = ("*.py", "source/*.[ch]*")


def digest(files: Iterable[Path]) -> str:
    """The first hex digits of SHA-256 over the contents of `files`."""
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:DIGITS]


def module_digest(folder: Path, other: str = "") -> str:
    """The digest of the module in `folder`, of what all such modules share, and of `other`.

    Comments and docstrings do not count.
    """
    counted = [module_code(each) for each in (folder, Path(__file__).parent)]
    return sha256(b"".join([*counted, other.encode()])).hexdigest()[:DIGITS]


def module_code(folder: Path) -> bytes:
    """The tokens of a module's sources, in the order of their names."""
    found = sorted(path for pattern in _SOURCES for path in folder.glob(pattern))
    return b"".join(content(path.name, path.read_bytes()) for path in found)

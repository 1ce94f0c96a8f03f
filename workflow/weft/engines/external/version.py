"""Digests of programs of others, and of the modules that drive them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

DIGITS = 12
#: What a module consists of: Python, and what it compiles against a library.
_SOURCES = ("*.py", "source/*.[ch]*")


def digest(files: Iterable[Path]) -> str:
    """The first hex digits of SHA-256 over the contents of `files`."""
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:DIGITS]


def module_digest(folder: Path, other: str = "") -> str:
    """The digest of the module in `folder`, of what all such modules share, and of `other`."""
    folders = (folder, Path(__file__).parent)
    found = (path for each in folders for pattern in _SOURCES for path in each.glob(pattern))
    texts = [path.read_bytes() for path in sorted(found)]
    return sha256(b"".join([*texts, other.encode()])).hexdigest()[:DIGITS]

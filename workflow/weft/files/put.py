"""Two ways to hand over a file: replace the one on the disk, or leave that as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from weft.files.replace import replace_bytes, replace_text


class Put(Protocol):
    """Takes a path and a text, and returns the path where a file with that text now is.

    Files that the text names go `beside` it, by name; they are there before it is.
    """

    def __call__(self, path: Path, text: str, beside: Mapping[str, bytes] = {}) -> Path:  # noqa: D102
        ...


def replace_changed(path: Path, text: str, beside: Mapping[str, bytes] = {}) -> Path:
    """Write `text` to `path`; a file that holds it already is left untouched."""
    _write_changed(path, text, beside)
    return path


class Aside:
    """Leaves every file as it is: what differs goes to a temporary folder.

    The folder lives as long as this object.
    """

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __call__(self, path: Path, text: str, beside: Mapping[str, bytes] = {}) -> Path:
        """`path` if it holds `text`, else a file beside the disk's that does."""
        there = all(holds(path.with_name(name), content) for name, content in beside.items())
        if there and holds(path, text.encode()):
            return path
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="weft-")
        aside = Path(self._folder.name, *path.absolute().parts[1:])
        _write_changed(aside, text, beside)
        return aside

    def remove(self) -> None:
        """Remove the temporary folder, which is of no more use."""
        if self._folder is not None:
            self._folder.cleanup()


def _write_changed(path: Path, text: str, beside: Mapping[str, bytes]) -> None:
    for name, content in beside.items():
        if not holds(path.with_name(name), content):
            replace_bytes(path.with_name(name), content)
    if not holds(path, text.encode()):
        replace_text(path, text)


def holds(path: Path, content: bytes) -> bool:
    """Whether there is a file in `path` with this content."""
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False

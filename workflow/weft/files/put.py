"""Two ways to hand over a file: replace the one on the disk, or leave that as it is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from weft.files.replace import replace_text

#: Takes a path and a text; returns the path where a file with that text now is.
Put = Callable[[Path, str], Path]


def replace_changed(path: Path, text: str) -> Path:
    """Write `text` to `path`; a file that holds it already is left untouched."""
    if not _holds(path, text):
        replace_text(path, text)
    return path


class Aside:
    """Leaves every file as it is: what differs goes to a temporary folder.

    The folder lives as long as this object.
    """

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __call__(self, path: Path, text: str) -> Path:
        """`path` if it holds `text`, else a file beside the disk's that does."""
        if _holds(path, text):
            return path
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="weft-")
        aside = Path(self._folder.name, *path.absolute().parts[1:])
        replace_text(aside, text)
        return aside


def _holds(path: Path, text: str) -> bool:
    return path.exists() and path.read_text() == text

"""Figures and tables of a result, each for itself, out of its archive."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass

from weft.service.tasks.models import Task

#: A page shows so many; all of them are in the archive.
_MOST = 200
_MOST_BYTES = 100_000_000
#: Names that weft gives. The server has no address for other files of an archive.
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")


@dataclass(frozen=True, slots=True)
class PackedFile:
    """A file of an archive: its path in there, and its size."""

    path: str
    bytes: int


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """What somebody takes from an archive."""

    figures: tuple[PackedFile, ...]
    tables: tuple[PackedFile, ...]


def parts(task: Task) -> ResultFiles | None:
    """What the result holds; None without one."""
    try:
        with zipfile.ZipFile(task.archive) as archive:
            found = [PackedFile(each.filename, each.file_size) for each in archive.infolist()]
    except (OSError, ValueError, zipfile.BadZipFile):
        return None
    found = [part for part in found if part.bytes <= _MOST_BYTES and _PLAIN.fullmatch(part.path)]
    figures = [part for part in found if _is_figure(part.path)]
    tables = [part for part in found if _is_table(task, part.path)]
    return ResultFiles(tuple(figures[:_MOST]), tuple(tables[:_MOST]))


def content(task: Task, path: str) -> bytes | None:
    """One of the figures or tables; None for what is neither, or is not there."""
    known = parts(task)
    if known is None or path not in {part.path for part in (*known.figures, *known.tables)}:
        return None
    with zipfile.ZipFile(task.archive) as archive, archive.open(path) as file:
        return file.read(_MOST_BYTES)


def _is_figure(path: str) -> bool:
    return path.startswith("figures/") and path.endswith(".csv")


def _is_table(task: Task, path: str) -> bool:
    return path.startswith(f"results/{task.experiment}/") and path.endswith(".parquet")

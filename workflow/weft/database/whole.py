"""Whether the database is the file that the last collection wrote, and which code wrote it."""

from __future__ import annotations

from pathlib import Path

from weft.database.writer import writer
from weft.files import open_lock, replace_text, sealed, take_lock, unsealed
from weft.files.layout import Results

WRITER = "writer"


def lock_path(database: Path) -> Path:
    """The file that the writer of the database locks."""
    return database.with_name(database.name + ".lock")


def is_whole(results: Path) -> bool:
    """Whether `results/weft.duckdb` is there, and nobody else has written to it.

    While a collection is at work it is: that one leaves it whole.
    """
    database = Results(results).database
    try:
        with open_lock(lock_path(database)) as file:
            return not take_lock(file) or as_left(database)
    except OSError:
        return as_left(database)


def as_left(database: Path) -> bool:
    """Whether the file has the size and time that `note` wrote down."""
    return bool(_noted(database))


def is_own(database: Path) -> bool:
    """Whether a collection wrote it whose code would write the same today."""
    return _noted(database).get(WRITER) == writer()


def note(database: Path) -> None:
    """Write down size and time of a database that is complete, and who wrote it."""
    replace_text(_note_path(database), sealed(_look(database) | {WRITER: writer()}) + "\n")


def _noted(database: Path) -> dict[str, object]:
    """What `note` wrote about this file; nothing if the file is another one."""
    try:
        noted = unsealed(_note_path(database).read_bytes().rstrip(b"\n"), required=True)
        return noted if _look(database).items() <= noted.items() else {}
    except (OSError, ValueError):
        return {}


def _note_path(database: Path) -> Path:
    return database.with_name(database.name + ".json")


def _look(database: Path) -> dict[str, object]:
    status = database.stat()
    return {"bytes": status.st_size, "mtime_ns": status.st_mtime_ns}

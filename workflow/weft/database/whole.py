"""Whether the database is the file that the last collection left."""

from __future__ import annotations

from pathlib import Path

from weft.files import replace_text, sealed, take_lock, unsealed
from weft.files.layout import Results


def lock_path(database: Path) -> Path:
    """The file that whoever writes the database holds locked."""
    return database.with_name(database.name + ".lock")


def is_whole(results: Path) -> bool:
    """Whether `results/weft.duckdb` is there, and nobody else has written to it.

    While a collection is at work it is: that one leaves it whole.
    """
    database = Results(results).database
    try:
        with lock_path(database).open("a") as file:
            return not take_lock(file) or as_left(database)
    except OSError:
        return as_left(database)


def as_left(database: Path) -> bool:
    """Whether the file has the size and time that `note` wrote down."""
    try:
        noted = unsealed(_note_path(database).read_bytes().rstrip(b"\n"), required=True)
        return noted == _look(database)
    except (OSError, ValueError):
        return False


def note(database: Path) -> None:
    """Write down size and time of a database that is complete."""
    replace_text(_note_path(database), sealed(_look(database)) + "\n")


def _note_path(database: Path) -> Path:
    return database.with_name(database.name + ".json")


def _look(database: Path) -> dict[str, int]:
    status = database.stat()
    return {"bytes": status.st_size, "mtime_ns": status.st_mtime_ns}

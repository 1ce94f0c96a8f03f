"""Whether the database is the file that the last collection wrote, and which code wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from weft.database.writer import writer
from weft.files import open_lock, replace_text, sealed, sha256_of, take_lock, unsealed
from weft.files.layout import Results

WRITER, SHA256 = "writer", "sha256"


def lock_path(database: Path) -> Path:
    """The file that the writer of the database locks."""
    return database.with_name(database.name + ".lock")


@dataclass(frozen=True, slots=True)
class DatabaseCondition:
    """Whether the database is there as the last collection left it, and what a person is told where
    it was once written and is not."""

    whole: bool
    damage: str | None = None


def condition(results: Path) -> DatabaseCondition:
    """How `results/weft.duckdb` looks, without its content.

    While a collection is at work it is whole: that one leaves it so.
    """
    database = Results(results).database
    try:
        with open_lock(lock_path(database)) as file:
            return _condition(database) if take_lock(file) else DatabaseCondition(whole=True)
    except OSError:
        return _condition(database)


def _condition(database: Path) -> DatabaseCondition:
    return DatabaseCondition(as_left(database), _damage(database))


def _damage(database: Path) -> str | None:
    file = note_path(database)
    if not database.exists():
        return f"{database} is missing" if file.exists() else None
    try:
        noted = unsealed(file.read_bytes().rstrip(b"\n"), required=True)
    except (OSError, ValueError) as error:
        return f"{file} is damaged or missing ({error})"
    same = _look(database).items() <= noted.items()
    return None if same else f"{database} was altered after it was written"


def as_left(database: Path) -> bool:
    """Whether the file has the size and time that `note` wrote down."""
    return bool(_noted(database))


def is_own(database: Path) -> bool:
    """Whether a collection wrote it whose code would write the same today."""
    return _noted(database).get(WRITER) == writer()


def note(database: Path) -> None:
    """Write down size, time and checksum of a database that is complete, and who wrote it."""
    known = _look(database) | {WRITER: writer(), SHA256: sha256_of(database)}
    replace_text(note_path(database), sealed(known) + "\n")


def database_damage(database: Path) -> str | None:
    """Whether file or note is not what the last collection wrote, by all bytes, as a sentence; None
    where both are, and where nothing was collected."""
    if not database.exists() or not _noted(database):
        return _damage(database)
    return None if holds_the_same(database) else f"{database} was altered after it was written"


def holds_the_same(database: Path) -> bool:
    """Whether the file holds what the last collection wrote, by all bytes; true where an earlier
    weft noted no checksum."""
    noted = _noted(database).get(SHA256)
    return noted is None or noted == sha256_of(database)


def _noted(database: Path) -> dict[str, object]:
    """What `note` wrote about this file; nothing if the file is another one."""
    try:
        noted = unsealed(note_path(database).read_bytes().rstrip(b"\n"), required=True)
        return noted if _look(database).items() <= noted.items() else {}
    except (OSError, ValueError):
        return {}


def note_path(database: Path) -> Path:
    """The file in which `note` writes."""
    return database.with_name(database.name + ".json")


def _look(database: Path) -> dict[str, object]:
    status = database.stat()
    return {"bytes": status.st_size, "mtime_ns": status.st_mtime_ns}

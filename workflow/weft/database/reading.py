"""The database, open to read: a damaged one is a message with the way out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from weft.database.whole import note_path
from weft.engines.step import full_disk
from weft.plan.outcome import DamagedError

#: What DuckDB raises for a file that is locked, or not what it wrote.
_OF_THE_FILE = (
    duckdb.IOException, duckdb.SerializationException, duckdb.InternalException,
    duckdb.FatalException,
)  # fmt: skip
_LOCKED = "Could not set lock"


class DamagedDatabaseError(DamagedError):
    """The database is damaged, which the next collection sees."""


@contextmanager
def reading(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The database, read-only; a collection at the same time does no harm.

    Raises OSError where another program has it open for writing, and DamagedDatabaseError for a
    damaged one, which the next run then makes anew.
    """
    try:
        with duckdb.connect(str(database), read_only=True) as connection:
            yield connection
    except duckdb.Error as error:
        # Of a checksum that does not fit it raises the general one.
        of_the_file = type(error) is duckdb.Error or isinstance(error, _OF_THE_FILE)
        if not of_the_file or full_disk(error):
            raise
        reason = str(error).splitlines()[0]
        if _LOCKED in reason:
            raise OSError(
                f"{database} is open for writing in another program, which has to close it first "
                f"({reason})"
            ) from error
        with suppress(OSError):
            note_path(database).unlink(missing_ok=True)
        remedy = "`weft verify --repair` makes it again from the results, and so does the next run"
        raise DamagedDatabaseError(f"{database} is damaged ({reason})", remedy) from error

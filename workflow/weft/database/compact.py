"""Giving back the room of rows that were taken out."""

from __future__ import annotations

from pathlib import Path

import duckdb

#: A database with fewer blocks is small whatever it wastes: 16 MiB.
FEW_BLOCKS = 64


def is_wasteful(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether more than half of a file that is not small is free."""
    [(total, used)] = con.execute(
        "SELECT total_blocks, used_blocks FROM pragma_database_size()"
    ).fetchall()
    return bool(total > FEW_BLOCKS and 2 * used < total)


def compact(database: Path) -> None:
    """Write a database anew without the room that is free in it."""
    smaller = database.with_name(f"{database.name}.smaller")
    with duckdb.connect() as con:
        con.execute(f"ATTACH {_text(database)} AS old (READ_ONLY)")
        con.execute(f"ATTACH {_text(smaller)} AS new")
        con.execute("COPY FROM DATABASE old TO new")
        con.execute("CHECKPOINT new")
    smaller.replace(database)


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"

"""What every writer of the database asks of DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import pyarrow as pa

#: How many rows are Python's at a time.
BATCH = 10_000
Row = tuple[Any, ...]


def quoted(name: str) -> str:
    """`name` as an identifier, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def create(con: duckdb.DuckDBPyConnection, table: str, schema: pa.Schema) -> None:
    """Create an empty table, unless it is there."""
    con.register("incoming", schema.empty_table())
    con.execute(f"CREATE TABLE IF NOT EXISTS {table} AS SELECT * FROM incoming")
    con.unregister("incoming")


def experiments(con: duckdb.DuckDBPyConnection) -> set[str]:
    """The experiments that the database has points of."""
    return {name for (name,) in con.execute("SELECT DISTINCT experiment FROM points").fetchall()}


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Insert rows by the names of their columns; a column that they lack becomes NULL."""
    con.register("incoming", rows)
    con.execute(f"INSERT INTO {table} BY NAME SELECT * FROM incoming")
    con.unregister("incoming")


def batches(
    con: duckdb.DuckDBPyConnection, query: str, values: Mapping[str, object]
) -> Iterator[list[Row]]:
    """The committed rows that answer `query`, at most `BATCH` at a time, while others use `con`."""
    with con.cursor() as reader:
        found = reader.execute(query, dict(values))
        while rows := found.fetchmany(BATCH):
            yield rows

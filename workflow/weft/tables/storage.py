"""Reading and writing tables: a file is either whole and of its schema, or an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from weft.files import replacing
from weft.tables.schemas import SCHEMAS


def write_table(name: str, rows: Iterable[Mapping[str, Any]] | pa.Table, path: Path) -> None:
    """Write `rows` as table `name`, through a temporary file and a rename.

    Raises pyarrow.ArrowInvalid when a row does not fit the schema.
    """
    schema = SCHEMAS[name]
    table = rows.cast(schema) if isinstance(rows, pa.Table) else _from_rows(rows, schema)
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def _from_rows(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    rows = list(rows)
    unknown = {key for row in rows for key in row} - set(schema.names)
    if unknown:
        raise pa.ArrowInvalid(f"columns {sorted(unknown)} are not in the schema {schema.names}")
    return pa.Table.from_pylist(rows, schema=schema)


def read_table(name: str, path: Path) -> pa.Table:
    """Read table `name`.

    Raises ValueError naming the file when it is truncated or of another schema.
    """
    try:
        table = pq.read_table(path, partitioning=None)
    except (pa.ArrowInvalid, OSError) as error:
        raise ValueError(f"{path} is not a readable Parquet file: {error}") from error
    if table.schema.names != SCHEMAS[name].names:
        raise ValueError(f"{path} has columns {table.schema.names}, table {name} needs others")
    return table

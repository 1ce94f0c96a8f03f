"""Reading and writing tables: a file is either whole and of its schema, or an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from weft.files import replacing
from weft.tables.rows import table_of
from weft.tables.schemas import OPTIONAL, SCHEMAS


def write_table(name: str, rows: Iterable[Mapping[str, object]] | pa.Table, path: Path) -> None:
    """Write `rows` as table `name`, through a temporary file and a rename.

    Raises pyarrow.ArrowInvalid when a row does not fit the schema.
    """
    schema = SCHEMAS[name]
    table = rows if isinstance(rows, pa.Table) else table_of(rows, schema)
    table = table if table.schema.equals(schema) else table.cast(schema)
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)


def read_table(name: str, path: Path) -> pa.Table:
    """Read table `name`.

    Raises ValueError naming the file when it is truncated or of another schema.
    """
    try:
        # `pq.read_table` imports what reads folders of files, and with it pandas.
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
    except (pa.ArrowInvalid, OSError) as error:
        raise ValueError(f"{path} is not a readable Parquet file: {error}") from error
    if has_other_columns(name, table.schema.names):
        raise ValueError(f"{path} has columns {table.schema.names}, table {name} needs others")
    return with_all_columns(name, table)


def has_other_columns(name: str, names: Sequence[str]) -> bool:
    """Whether `names` are not the columns of table `name` in their order, optional ones aside."""
    expected = SCHEMAS[name].names
    optional = OPTIONAL.get(name, frozenset())
    return list(names) != [each for each in expected if each in names or each not in optional]


def with_all_columns(name: str, table: pa.Table) -> pa.Table:
    """`table` as table `name`: columns in their order, NULL in optional ones that it lacks.

    Raises KeyError for a column that it must have.
    """
    schema = SCHEMAS[name]
    for column in OPTIONAL.get(name, frozenset()) - set(table.column_names):
        empty = pa.nulls(table.num_rows, schema.field(column).type)
        table = table.append_column(column, empty)
    return table.select(schema.names).cast(schema)

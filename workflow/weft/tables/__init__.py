"""Arrow schemas of every table, and atomic Parquet writing that enforces them."""

from weft.tables.schemas import OPTIONAL, SCHEMAS, SHARD_TABLES
from weft.tables.storage import has_other_columns, read_table, with_all_columns, write_table

__all__ = [
    "OPTIONAL",
    "SCHEMAS",
    "SHARD_TABLES",
    "has_other_columns",
    "read_table",
    "with_all_columns",
    "write_table",
]

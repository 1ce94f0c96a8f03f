"""Arrow schemas of every table, and atomic Parquet writing that enforces them."""

from weft.tables.schemas import SCHEMAS
from weft.tables.storage import read_table, write_table

__all__ = ["SCHEMAS", "read_table", "write_table"]

"""The DuckDB file: every experiment's tables, and the view `answers` over them."""

from weft.database.again import with_whole_database
from weft.database.collect import collect
from weft.database.reading import reading
from weft.database.stamp import read_stamp, stamp_path
from weft.database.whole import DatabaseCondition, condition, database_damage, note_path

__all__ = [
    "DatabaseCondition",
    "collect",
    "condition",
    "database_damage",
    "note_path",
    "read_stamp",
    "reading",
    "stamp_path",
    "with_whole_database",
]

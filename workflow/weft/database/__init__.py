"""The DuckDB file: every experiment's tables, and the view `answers` over them."""

from weft.database.collect import collect
from weft.database.reading import reading
from weft.database.stamp import read_stamp, stamp_path
from weft.database.whole import database_damage, is_whole, note_path

__all__ = [
    "collect",
    "database_damage",
    "is_whole",
    "note_path",
    "read_stamp",
    "reading",
    "stamp_path",
]

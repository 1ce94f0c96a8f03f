"""The DuckDB file: every experiment's tables, and the view `answers` over them."""

from weft.database.collect import collect
from weft.database.stamp import stamp_path
from weft.database.whole import is_whole

__all__ = ["collect", "is_whole", "stamp_path"]

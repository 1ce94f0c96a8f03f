"""The DuckDB file: every experiment's tables, and the view `answers` over them."""

from weft.database.collect import collect, stamp_path

__all__ = ["collect", "stamp_path"]

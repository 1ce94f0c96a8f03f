"""Errors by which a step learns that there is no memory left."""

from __future__ import annotations

import errno
import sys

_THREAD = "can't start new thread"
ADVICE = (
    "nothing that is finished is lost: close other programs, or allow more memory (ulimit -v, the "
    "job's memory), then run the same command again"
)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error of Python, the system or DuckDB says that memory ran out."""
    # Those of Arrow and NumPy are MemoryErrors. DuckDB's is known where DuckDB is in use.
    duckdb = sys.modules.get("duckdb")
    if duckdb is not None and isinstance(error, duckdb.OutOfMemoryException):
        return True
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    no_thread = isinstance(error, RuntimeError) and _THREAD in str(error)
    return no_thread or isinstance(error, MemoryError)

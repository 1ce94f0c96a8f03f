"""Errors by which a step learns that there is no memory left."""

from __future__ import annotations

import errno
import signal
import sys

_THREAD = "can't start new thread"
ADVICE = (
    "nothing that is finished is lost: close other programs, or allow more memory (ulimit -v, the "
    "job's memory), then run the same command again"
)


_KILLED = (
    ", most likely because memory ran out: the kernel's log says so (`dmesg` or `journalctl -k`), "
    "and on a cluster the batch system's record; run fewer points at once (--cores 1), or allow "
    "more memory (the job's, a control group's)"
)


def killed_by(number: int) -> str:
    """What to say of a process that a signal has ended, behind its name.

    Nobody but the kernel and people send SIGKILL, and the kernel leaves no reason with the process.
    """
    return f"was killed by signal {number}{_KILLED if number == signal.SIGKILL else ''}"


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

"""How a job says what went wrong: one message, on the terminal and in its log."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.engines.base import EngineError
from weft.engines.memory import ADVICE, is_out_of_memory
from weft.files import FULL
from weft.interrupt import INTERRUPTED, RESUMES, ignore_interrupts
from weft.plan.outcome import DamagedError

_EXPECTED = (EngineError, DamagedError, OSError)
NO_SPACE, QUOTA = "no space left on device", "disk quota exceeded"


def explain(error: Exception, folder: Path) -> str:
    """One message for a person; a full disk is named as such.

    Libraries do not always say which file they wrote: then it names the `folder` of the job.
    """
    what = full_disk(error)
    if what is None:
        return str(error)
    where = f" while writing {getattr(error, 'filename', None) or f'below {folder}'}"
    return f"{what}{where}: free some space, then run the same command again"


def full_disk(error: BaseException) -> str | None:
    """What is used up if an error says that nothing more can be written; else None."""
    # DuckDB's errors have no number, only the system's words. It is known where it is in use.
    duckdb = sys.modules.get("duckdb")
    words = str(error) if duckdb is not None and isinstance(error, duckdb.Error) else ""
    for code, what in ((errno.ENOSPC, NO_SPACE), (errno.EDQUOT, QUOTA)):
        if getattr(error, "errno", None) == code or os.strerror(code) in words:
            return what
    return None


@contextmanager
def step(log: Path) -> Iterator[None]:
    """Run a job; an expected failure ends it with exit code 1 and one message, Ctrl-C with 130.
    Memory that runs out is one. Scripts import inside what takes long to import, so that Ctrl-C is
    one message also then.

    Other subclasses of ValueError come from libraries: unexpected, so they keep their traceback.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except KeyboardInterrupt:
        ignore_interrupts()
        _report(RESUMES, log)
        raise SystemExit(INTERRUPTED) from None
    except Exception as error:
        full = full_disk(error) is not None
        if is_out_of_memory(error):
            text = f"no memory left in the step {log.stem} of {log.parent}; {ADVICE}"
        elif isinstance(error, _EXPECTED) or type(error) is ValueError or full:
            text = explain(error, log.parent)
        else:
            raise
        _report(text, log)
        raise SystemExit(1) from error


def _report(text: str, log: Path) -> None:
    """Write to the log, which Snakemake shows; if that fails, print it and why on the terminal."""
    try:
        with log.open("a") as file:
            file.write(text + "\n")
    except OSError as failure:
        failure.filename = failure.filename or str(log)
        # A program that found the disk full could not say so, because its log lies there.
        full = failure.errno in FULL and NO_SPACE not in text and QUOTA not in text
        print(text, *[explain(failure, log.parent)] * full, sep="\n", file=sys.stderr, flush=True)

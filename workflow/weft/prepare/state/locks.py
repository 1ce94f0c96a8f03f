"""One run at a time for each experiment; runs of different ones go on side by side."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import IO

from weft.files import open_lock, take_lock
from weft.files.layout import Results
from weft.prepare.state.killed_run import how_it_ended, who_holds, words
from weft.prepare.state.write_access import account, advice


def hold(results: Path, experiments: Iterable[str]) -> list[IO[str]]:
    """Locks of the experiments, until they are closed; a kill frees them, too.

    Raises ValueError that names the run which has one already, and OSError where the folder
    belongs to somebody who does not share it.
    """
    # In one order, so that of two runs of the same experiments one gets all.
    return [_held(Results(results).experiment(name).lock, name) for name in sorted(experiments)]


def _held(path: Path, experiment: str) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open_lock(path)
        _check_shards(path.parent)
    except PermissionError as error:
        closed = Path(error.filename or path)
        folder = closed.parent if closed == path else closed
        said = f"cannot write to {folder}: {error.strerror}; {advice(folder)}"
        raise PermissionError(said) from error
    if not take_lock(file):
        file.seek(0)
        holder = who_holds(file.read())
        file.close()
        by_whom = f" ({holder})" if holder else ""
        raise ValueError(
            f"another weft is running {experiment}{by_whom}; wait for it or end it. "
            "Other experiments can run beside it"
        )
    file.seek(0)
    if ended := how_it_ended(file.read()):
        print(f"weft: {experiment}: {ended}", file=sys.stderr)
    file.truncate(0)
    file.write(words(f"process {os.getpid()} of {_user()} on {socket.gethostname()}, {_now()}"))
    file.flush()
    return file


def _check_shards(folder: Path) -> None:
    """Raise PermissionError for files of an earlier run that this one may not change."""
    for each in folder.glob("*/*/"):
        if not os.access(each, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(each))


def _user() -> str:
    name = account()
    return f"user {name}" if name.isdecimal() else name


def _now() -> str:
    return f"since {datetime.now():%Y-%m-%d %H:%M}"

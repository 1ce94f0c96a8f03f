"""One run at a time for each experiment; runs of different ones go on side by side."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from datetime import datetime
from getpass import getuser
from pathlib import Path
from typing import IO

from weft.files import take_lock

LOCK = ".lock"


def hold(results: Path, experiments: Iterable[str]) -> list[IO[str]]:
    """Locks of the experiments, until they are closed; a kill frees them, too.

    Raises ValueError that names the run which has one already, and OSError where the folder
    belongs to somebody who does not share it.
    """
    # In one order, so that of two runs of the same experiments one gets all.
    return [_held(results / name / LOCK, name) for name in sorted(experiments)]


def _held(path: Path, experiment: str) -> IO[str]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+")
    except PermissionError as error:
        raise PermissionError(
            f"cannot write to {path.parent}: {error.strerror}; people who share a folder need a "
            "common group and umask 002 (docs/hpc.md)"
        ) from error
    if not take_lock(file):
        file.seek(0)
        holder = file.read().strip()
        file.close()
        by_whom = f" ({holder})" if holder else ""
        raise ValueError(
            f"another weft is running {experiment}{by_whom}; wait for it or end it. "
            "Other experiments can run beside it"
        )
    file.truncate(0)
    file.write(f"process {os.getpid()} of {_user()} on {socket.gethostname()}, {_now()}\n")
    file.flush()
    return file


def _user() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def _now() -> str:
    return f"since {datetime.now():%Y-%m-%d %H:%M}"

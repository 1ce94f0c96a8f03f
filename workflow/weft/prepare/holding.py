"""One run at a time for each experiment; runs of different ones go on side by side."""

from __future__ import annotations

import errno
import os
import shlex
import socket
import sys
import tempfile
from collections.abc import Iterable
from datetime import datetime
from getpass import getuser
from pathlib import Path
from typing import IO

from weft.files import FULL, need_space, open_lock, take_lock
from weft.files.layout import Layout, Results
from weft.prepare.killed_run import how_it_ended, who_holds, words

SHARED = "people who share a folder need a common group and umask 002 (docs/hpc.md)"
#: Snakemake writes its choice of jobs there, which is larger where there are thousands of them.
TEMPORARY_BYTES = 1 << 20
#: Its log and its folders have room in these.
_ROOM_BYTES = 1 << 18


def check_temporary() -> None:
    """Raise OSError where the folder for temporary files is full.

    Snakemake's solver writes there whatever else it could use; its error would be a traceback.
    """
    folder = Path(os.environ.get("TMP") or os.environ.get("TMPDIR") or "/tmp")
    try:
        need_space(folder, TEMPORARY_BYTES)
    except OSError as error:
        # One that is not there, or belongs to others, is passed over by everybody.
        if error.errno in FULL:
            raise OSError(
                f"cannot write temporary files to {folder}: {error.strerror}; nothing was run; "
                "free some space there, or set TMPDIR to another folder"
            ) from error


def check_writable(results: Path) -> None:
    """Raise OSError where no result, no page or no note of Snakemake's can be written."""
    _check([results, Layout.of(Results(results)).reports.path], made=results)
    check_notes(results.parent)


def check_notes(project: Path) -> None:
    """Raise OSError where no note of Snakemake's can be written, which any command writes."""
    notes = project / ".snakemake"
    _check([notes / "log", *notes.glob("*/")] if notes.exists() else [project], _ROOM_BYTES)


def _check(folders: Iterable[Path], size_bytes: int = 1, made: Path | None = None) -> None:
    """Raise OSError where one of the `folders` that exist has no room; one is `made`."""
    for folder in folders:
        try:
            if folder == made:
                folder.mkdir(parents=True, exist_ok=True)
            if folder.exists():
                with tempfile.TemporaryFile(dir=folder) as file:
                    file.write(bytes(size_bytes))
        except OSError as error:
            advice = f"; {_advice(folder)}" if isinstance(error, PermissionError) else ""
            raise OSError(
                f"cannot write to {folder.absolute()}: {error.strerror}; nothing was run{advice}"
            ) from error


def _advice(folder: Path) -> str:
    """What lets the user write to `folder`, or to the one in which it would be made."""
    above = (folder.absolute(), *folder.absolute().parents)
    there = next(each for each in above if os.access(each, os.F_OK))
    if there.stat().st_uid != 0 or os.geteuid() == 0:
        return SHARED
    clone = shlex.quote(str(Path.cwd()))
    return f"root owns it, as after sudo: `sudo chown -R {_name()} {clone}`; {SHARED}"


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
        advice = _advice(folder)
        raise PermissionError(f"cannot write to {folder}: {error.strerror}; {advice}") from error
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
    name = _name()
    return f"user {name}" if name.isdecimal() else name


def _name() -> str:
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def _now() -> str:
    return f"since {datetime.now():%Y-%m-%d %H:%M}"

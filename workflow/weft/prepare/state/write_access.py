"""Whether results, pages, notes and temporary files can be written: asked before anything runs."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterable
from getpass import getuser
from pathlib import Path

from weft.files import FULL, need_space
from weft.files.layout import Layout, Results

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
            hint = f"; {advice(folder)}" if isinstance(error, PermissionError) else ""
            raise OSError(
                f"cannot write to {folder.absolute()}: {error.strerror}; nothing was run{hint}"
            ) from error


def advice(folder: Path) -> str:
    """What lets the user write to `folder`, or to the one in which it would be made."""
    above = (folder.absolute(), *folder.absolute().parents)
    there = next(each for each in above if os.access(each, os.F_OK))
    if there.stat().st_uid != 0 or os.geteuid() == 0:
        return SHARED
    clone = shlex.quote(str(Path.cwd()))
    return f"root owns it, as after sudo: `sudo chown -R {account()} {clone}`; {SHARED}"


def account() -> str:
    """The name of this process's user, or the number where there is none."""
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.getuid())

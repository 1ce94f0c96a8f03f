"""Results on the server's disk: they arrive in pieces, and are whole or not there."""

from __future__ import annotations

import os
import shutil
import zipfile
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO

from weft.files.lock import take_lock
from weft.service.tasks.models import Task

_REPORT_BYTES = 50_000_000


class ResultError(ValueError):
    """A result that the server does not take."""


def _part(task: Task) -> Path:
    """What has arrived under the present lease."""
    digest = sha256(str(task.lease).encode()).hexdigest()[:16]
    return task.folder / f"part-{digest}"


def _report_part(task: Task) -> Path:
    return _part(task).with_suffix(".html")


def received_bytes(task: Task) -> int:
    """How much has arrived."""
    try:
        return _part(task).stat().st_size
    except FileNotFoundError:
        return 0


def receive(task: Task, offset: int, content: bytes, most_bytes: int) -> int:
    """Write a piece that begins at `offset`; returns how much is there.

    A piece that does not follow what is there is ignored: the answer says where to go on. Raises
    ResultError when the result is larger than a result may be.
    """
    task.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _part(task).open("ab") as file:
        # A piece that is sent again may meet itself.
        take_lock(file, wait=True)
        there = os.fstat(file.fileno()).st_size
        if offset != there:
            return there
        if there + len(content) > most_bytes:
            raise ResultError(f"a result has at most {most_bytes:,} bytes")
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            # A full disk: the worker sends the same piece again.
            os.ftruncate(file.fileno(), there)
            raise
    return there + len(content)


def check(task: Task, size: int, digest: str) -> None:
    """Read what has arrived and take its page out of it, for `keep`; raises ResultError if it is
    not what was announced."""
    part = _part(task)
    if not part.exists() and task.archive.exists():
        part = task.archive
    if not part.exists() or part.stat().st_size != size:
        raise ResultError(f"{received_bytes(task)} of {size} bytes have arrived")
    with part.open("rb") as file:
        if file_digest(file, "sha256").hexdigest() != digest:
            part.unlink()
            raise ResultError("what has arrived does not match its checksum; send it again")
    with part.open("rb") as file:
        _take_out_report(task, file)


def keep(task: Task) -> None:
    """Make what was checked the result."""
    for part, whole in ((_part(task), task.archive), (_report_part(task), task.report)):
        # A server that ended in between has moved the one, and not the other.
        if part.exists():
            part.replace(whole)


def _take_out_report(task: Task, file: IO[bytes]) -> None:
    """The page of the archive; nothing else of it is unpacked here."""
    try:
        page = f"reports/{task.experiment}.html"
        with zipfile.ZipFile(file) as archive, archive.open(page) as packed:
            content = packed.read(_REPORT_BYTES + 1)
    except (KeyError, OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise ResultError(f"the archive cannot be read: {error}") from error
    if len(content) > _REPORT_BYTES:
        raise ResultError("the page of the archive is too large")
    _report_part(task).write_bytes(content)


def remove(task: Task) -> None:
    """Nothing of the result stays."""
    shutil.rmtree(task.folder, ignore_errors=True)

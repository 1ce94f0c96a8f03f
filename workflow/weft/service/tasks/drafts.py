"""Files that somebody has chosen and not submitted yet: a browser does not choose them again.

They lie in the state folder, a folder for each person, under the digests of their contents. Nobody
reaches a file of somebody else: the folder is that of whoever asks.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from hashlib import sha256
from pathlib import Path

from django.conf import settings

_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEPT_S = 24 * 3600
#: Uploads of so many tasks are kept for a person; the oldest go first.
_MOST_TASKS = 4


def _folder(person: int) -> Path:
    return Path(settings.STATE) / "drafts" / str(person)


def keep(person: int, content: bytes) -> str:
    """Keep a file for a day; returns its digest.

    Raises OSError on a full disk.
    """
    digest = sha256(content).hexdigest()
    folder = _folder(person)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / digest
    part = folder / f"part-{os.getpid()}-{time.monotonic_ns()}"
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    _thin(folder)
    return digest


def kept(person: int, digest: str) -> bytes | None:
    """A file that this person has chosen before; None if there is none, or no more."""
    if not _DIGEST.fullmatch(digest):
        return None
    try:
        return (_folder(person) / digest).read_bytes()
    except OSError:
        return None


def sweep() -> None:
    """Remove what is older than a day."""
    for folder in (Path(settings.STATE) / "drafts").glob("*"):
        for path in folder.glob("*"):
            if time.time() - path.stat().st_mtime > _KEPT_S:
                path.unlink(missing_ok=True)


def erase(person: int) -> None:
    """Nothing of this person stays."""
    shutil.rmtree(_folder(person), ignore_errors=True)


def _thin(folder: Path) -> None:
    held = 0
    newest = sorted(folder.glob("*"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for count, path in enumerate(newest):
        held += path.stat().st_size
        many = count >= _MOST_TASKS * settings.UPLOAD_FILES
        if many or held > _MOST_TASKS * settings.UPLOAD_BYTES:
            path.unlink(missing_ok=True)

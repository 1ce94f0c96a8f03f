"""The folder in which a worker works: one process at a time, so that no task meets itself there."""

from __future__ import annotations

import socket
import time
from hashlib import sha256
from pathlib import Path
from typing import IO

from weft.files.lock import open_lock, take_lock

#: A worker that is ending still has its folder.
_PATIENCE_S = 15.0


def take_folder(folder: Path) -> IO[str]:
    """Have the folder until what this returns is closed; raises SystemExit if another has it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = open_lock(folder / "worker.lock")
    except OSError as error:
        raise SystemExit(f"weft-worker: cannot write in {folder}: {error.strerror}") from error
    began = time.monotonic()
    while not take_lock(lock):
        if time.monotonic() - began > _PATIENCE_S:
            raise SystemExit(
                f"weft-worker: another worker works in {folder}: give each its own --folder"
            )
        time.sleep(0.2)
    return lock


def folder_word(folder: Path) -> str:
    """By which the server knows the folder again."""
    return sha256(f"{socket.gethostname()}\0{folder}".encode()).hexdigest()[:32]

"""Locks that the kernel frees when their holder ends, however it ends."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

GROUP = 0o060

#: What a file system without locks answers; parallel ones are often mounted so.
NO_LOCKS = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)


def open_lock(path: Path) -> IO[str]:
    """A file to lock, created if missing, with its folder's group permissions whatever the umask.
    Its end is where writing begins. Reading takes also bytes that are no text."""
    file = path.open("a+", errors="replace")
    with suppress(PermissionError):  # another one's: as it is
        shared = path.parent.stat().st_mode & GROUP
        os.fchmod(file.fileno(), os.fstat(file.fileno()).st_mode | shared)
    return file


def take_lock(file: IO[str] | IO[bytes], *, wait: bool = False) -> bool:
    """Lock an open file until it is closed; whether that worked.

    False means that another process holds it, which cannot be when `wait` is set. On a file system
    without locks everybody is let in.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    return True

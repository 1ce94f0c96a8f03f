"""Locks that the kernel frees when their holder ends, however it ends."""

from __future__ import annotations

import errno
import fcntl
from typing import IO, Any

#: What a file system without locks answers; parallel ones are often mounted so.
NO_LOCKS = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK)


def take_lock(file: IO[Any], *, wait: bool = False) -> bool:
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

"""Full disks: which errors are about one, and whether there is one."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

#: No space left on the device, or none left of the user's quota.
FULL = (errno.ENOSPC, errno.EDQUOT)
_BYTES = 1 << 16


def need_space(folder: Path, size_bytes: int = _BYTES) -> None:
    """Raise the OSError of a full disk if `size_bytes` more cannot be written to `folder`.

    Programs of others seldom report that their output met a full disk.
    """
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            left = size_bytes
            while left:
                left -= file.write(bytes(left))
    except OSError as error:
        if error.errno in FULL:
            error.filename = str(folder)
            raise

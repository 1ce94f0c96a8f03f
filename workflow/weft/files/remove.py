"""Removes a folder in which a program ran, which may have closed folders to everybody."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path


def remove_folder(path: Path) -> None:
    """Remove the folder with all in it, if it is there; what cannot be removed stays. Nothing may
    run in it any more."""
    shutil.rmtree(path, ignore_errors=True)
    if path.is_dir() and not path.is_symlink():
        _open_to_us(path)
        shutil.rmtree(path, ignore_errors=True)


def _open_to_us(folder: Path) -> None:
    try:
        folder.chmod(stat.S_IRWXU)
        with os.scandir(folder) as entries:
            inner = [each.path for each in entries if each.is_dir(follow_symlinks=False)]
    except OSError:
        return
    for path in inner:
        _open_to_us(Path(path))

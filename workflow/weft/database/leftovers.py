"""What a killed collection leaves beside the database."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

#: A file of a writer that is still at work is younger. Where the file system has no locks there
#: may be one.
OLD_S = 3600.0


def discard(target: Path) -> None:
    """Remove the file of a database that is not complete, and what DuckDB wrote beside it."""
    for path in target.parent.glob(f"{target.name}*"):
        _remove(path)


def clear(database: Path) -> None:
    """Remove what earlier writers of `database` began and did not finish."""
    for path in database.parent.glob(f".{database.name}.*"):
        if time.time() - path.stat().st_mtime > OLD_S:
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)

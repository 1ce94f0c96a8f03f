"""Where a build keeps its temporary files, and whether that place can do it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.images.errors import ImageError

#: The unpacked toolchain, a second stage and the compressed image.
NEEDED_BYTES = 4 * 1024**3
GIB = 1024**3


@contextmanager
def work_folder() -> Iterator[Path]:
    """A private folder below APPTAINER_TMPDIR, TMPDIR or the system's own, removed afterwards.

    Raises ImageError when there is no room or programs cannot run there.
    """
    place = Path(os.environ.get("APPTAINER_TMPDIR") or tempfile.gettempdir())
    _check(place)
    folder = Path(tempfile.mkdtemp(prefix="weft-image-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check(place: Path) -> None:
    how = "set TMPDIR to a folder on a local disk"
    try:
        free, flags = shutil.disk_usage(place).free, os.statvfs(place).f_flag
    except OSError as error:
        raise ImageError(f"{place}: cannot build images there ({error.strerror}); {how}") from error
    if flags & os.ST_NOEXEC:
        raise ImageError(f"{place}: programs cannot run there (mounted noexec); {how}")
    if free < NEEDED_BYTES:
        needed, has = NEEDED_BYTES / GIB, free / GIB
        raise ImageError(f"{place}: building needs {needed:.0f} GiB, {has:.1f} are free; {how}")

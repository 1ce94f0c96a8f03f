"""A folder for Snakemake's cache where the home folder cannot be written, or is full.

So it is for accounts of services, in containers, and where a quota is used up. Without a cache
Snakemake ends with a traceback.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

#: Where the cache is instead, from the project: a folder that Snakemake writes anyway.
INSTEAD = Path(".snakemake") / "cache"
#: The Snakefile and its rules, of which Snakemake keeps copies, have room in these.
_ROOM_BYTES = 1 << 16


def insist_on_cache() -> None:
    """Let this process and those that it starts keep caches in the project, if not at home."""
    from platformdirs import user_cache_dir

    usable = _takes_files(Path(user_cache_dir("snakemake", "snakemake"), "snakemake/source-cache"))
    if not usable:
        os.environ["XDG_CACHE_HOME"] = str(_instead())


def _instead() -> Path:
    """In the project, or where that cannot be written either, as weft says soon, a folder that goes
    when this process ends."""
    if not _takes_files(INSTEAD):
        try:
            folder = tempfile.mkdtemp(prefix="weft-")
        except OSError as error:
            raise SystemExit(
                f"weft: no file can be written at home, in this project or to the temporary "
                f"folder ({error}); nothing was run; free some space"
            ) from error
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return Path(folder)
    return INSTEAD.absolute()


def _takes_files(folder: Path) -> bool:
    """Whether files can be written there: only that shows a full disk and a used quota."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_ROOM_BYTES))
    except OSError:
        return False
    return True

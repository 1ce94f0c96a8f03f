"""Processes that outlive a launcher on this node, found by a pipe that they inherited.

Hydra kills Apptainer's starter where a rank ended badly, and then nobody ends the process that
shows the image's files: it would hold the launcher's output and the shard's lock for ever.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

#: Where MPICH makes memory that ranks share; those that are killed leave it behind.
SHARED, OF_MPICH = Path("/dev/shm"), "mpich_*"
#: How long a process that was killed may hold what it had.
_HELD_S, _LOOK_S = 2.0, 0.05


@contextmanager
def no_leftovers(grace_s: float) -> Iterator[str]:
    """Whatever is started within and passes on its open files is ended afterwards.

    Yields how `/proc/*/fd` shows the file by which such processes are known.

    Such processes have `grace_s` seconds to end by themselves. Memory that they shared goes, too.
    """
    shared = set(_shared_memory())
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    mark = str(Path(f"/proc/self/fd/{writing}").readlink())
    try:
        yield mark
    finally:
        os.close(writing)
        # The pipe ends when nobody holds its writing end any more.
        if not select.select([reading], [], [], grace_s)[0]:
            os.close(reading)
            _kill_holders(mark)
        else:
            os.close(reading)
        _remove_unused({*_shared_memory()} - shared)


def _kill_holders(mark: str) -> None:
    for process in psutil.process_iter():
        with suppress(OSError, psutil.Error):
            folder = Path(f"/proc/{process.pid}/fd")
            if any(str(each.readlink()) == mark for each in folder.iterdir()):
                process.kill()


def _shared_memory() -> Iterator[Path]:
    for path in SHARED.glob(OF_MPICH):
        with suppress(OSError):
            if path.stat().st_uid == os.getuid():
                yield path


def _remove_unused(made: set[Path]) -> None:
    """Remove the memory that no process has any more; other measurements may have made some."""
    end = time.monotonic() + _HELD_S
    while made and (held := made & _held(made)) and time.monotonic() < end:
        for path in made - held:
            path.unlink(missing_ok=True)
        made = held
        time.sleep(_LOOK_S)
    for path in made - _held(made):
        path.unlink(missing_ok=True)


def _held(paths: set[Path]) -> set[Path]:
    """Those of the files that a process maps or has open."""
    names = {str(path) for path in paths}
    found: set[str] = set()
    for process in psutil.process_iter():
        folder = Path(f"/proc/{process.pid}")
        with suppress(OSError):
            for each in [*(folder / "fd").iterdir()]:
                # It may be closed in between.
                with suppress(OSError):
                    found |= {str(each.readlink())} & names
        with suppress(OSError, UnicodeDecodeError):
            maps = (folder / "maps").read_text()
            found |= {name for name in names if name in maps}
    return {Path(name) for name in found}

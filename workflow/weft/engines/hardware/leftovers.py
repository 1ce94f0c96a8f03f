"""Processes that outlive a launcher on this node, found by a pipe that they inherited.

Hydra kills Apptainer's starter where a rank ended badly, and then nobody ends the process that
shows the image's files: it would hold the launcher's output and the shard's lock for ever.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil


@contextmanager
def no_leftovers(grace_s: float) -> Iterator[str]:
    """Whatever is started within and passes on its open files is ended afterwards.

    Yields how `/proc/*/fd` shows the file by which such processes are known.

    Such processes have `grace_s` seconds to end by themselves.
    """
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


def _kill_holders(mark: str) -> None:
    for process in psutil.process_iter():
        with suppress(OSError, psutil.Error):
            folder = Path(f"/proc/{process.pid}/fd")
            if any(str(each.readlink()) == mark for each in folder.iterdir()):
                process.kill()

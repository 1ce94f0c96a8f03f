"""A child process that does not outlive this one, however this one ends."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

# The pipe at its standard input closes when this process ends, killed or not. The kernel's own
# signal for that (PR_SET_PDEATHSIG) is lost where a program changes its user, as Apptainer does.
_WATCH = "read -r _; kill $1; sleep 5; kill -KILL $1"


@contextmanager
def ending_with_us(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """End `process` when the block is left early or this process ends within it."""
    command = ["sh", "-c", _WATCH, "sh", str(process.pid)]
    watch = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        if process.poll() is None:
            process.terminate()
        watch.kill()
        watch.communicate()

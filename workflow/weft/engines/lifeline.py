"""A child process that does not outlive this one, however this one ends."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

# The pipe at its standard input closes when this process ends, killed or not. The kernel's own
# signal for that (PR_SET_PDEATHSIG) is lost where a program changes its user, as Apptainer does.
_WATCH = """
read -r _
kill -s TERM -- "$1"
sleep 5
kill -s KILL -- "$1"
test -z "$2" && exit
for each in /proc/[0-9]*; do
    case $(ls -l "$each/fd" 2>&1) in *"$2"*) kill -s KILL "${each#/proc/}" ;; esac
done
"""


@contextmanager
def ending_with_us(process: subprocess.Popen[bytes], mark: str | None = None) -> Iterator[None]:
    """End `process` when the block is left early or this process ends within it.

    With `mark`, the target of a link in `/proc/*/fd`, also its process group and whatever holds
    that file open: an MPI launcher may be a script that starts the launcher proper, and ranks have
    sessions of their own.
    """
    target = f"-{process.pid}" if mark else str(process.pid)
    # In a session of its own, so that a signal to the group of this process does not end it, too.
    watch = subprocess.Popen(
        ["sh", "-c", _WATCH, "sh", target, mark or ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        if process.poll() is None:
            process.terminate()
        watch.kill()
        watch.communicate()

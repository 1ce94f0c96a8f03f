"""A child process that does not outlive this one, however and whenever this one ends."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypedDict, Unpack

# The pipe at its standard input brings the number of the process, and closes when this process
# ends, killed or not. The kernel's own signal for that (PR_SET_PDEATHSIG) is lost where a program
# changes its user, as Apptainer does.
_WATCH = """
read -r started || exit
read -r _
kill -s TERM -- "$1$started"
sleep 5
kill -s KILL -- "$1$started"
test -z "$2" && exit
for each in /proc/[0-9]*; do
    case $(ls -l "$each/fd" 2>&1) in *"$2"*) kill -s KILL "${each#/proc/}" ;; esac
done
"""


class StartOptions(TypedDict, total=False):
    """How a process starts, as `subprocess.Popen` takes it."""

    stdin: int
    stdout: IO[bytes] | IO[str]
    stderr: IO[bytes] | IO[str] | int
    env: Mapping[str, str] | None
    cwd: Path | None
    start_new_session: bool
    close_fds: bool


@contextmanager
def ending_with_us(
    command: Sequence[str], mark: str | None = None, **options: Unpack[StartOptions]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start `command`; end it when the block is left early or this process ends.

    With `mark`, the target of a link in `/proc/*/fd`, also its process group and whatever holds
    that file open: an MPI launcher may be a script that starts the launcher proper, and ranks have
    sessions of their own.

    Raises OSError when it cannot be started.
    """
    # In a session of its own, so that a signal to the group of this process does not end it, too.
    watch = subprocess.Popen(
        ["sh", "-c", _WATCH, "sh", "-" if mark else "", mark or ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert watch.stdin
    pipe = watch.stdin.fileno()

    def tell() -> None:
        # By the new process itself, which keeps the pipe open until its program starts: wherever
        # this one is killed, the watch reads the number first and the end of the pipe then.
        os.write(pipe, b"%d\n" % os.getpid())

    process = None
    try:
        process = subprocess.Popen(command, preexec_fn=tell, **options)
        yield process
    finally:
        if process and process.poll() is None:
            process.terminate()
        watch.kill()
        watch.communicate()

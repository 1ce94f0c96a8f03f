"""What tests start ends with them, also where nobody is left to end it: after a SIGKILL."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike

from tests.patience import PATIENCE_S


def with_parent(command: Sequence[str | PathLike[str]]) -> list[str | PathLike[str]]:
    """The command as one that gets SIGTERM when the thread that starts it is gone."""
    return ["setpriv", "--pdeathsig", "TERM", "--", *command]


@contextmanager
def afterwards(
    command: Sequence[str | PathLike[str]], environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Run a command at the end of the block, or of this process if that comes first.

    For what has left all of its ancestors, as daemons do.
    """
    # It waits for the end of its input, in a session that no Ctrl-C and no SIGKILL of ours reaches.
    waiting = subprocess.Popen(
        ["sh", "-c", 'cat; exec "$@"', "sh", *command],
        stdin=subprocess.PIPE,
        env=environment,
        cwd="/",
        start_new_session=True,
    )
    try:
        yield
    finally:
        assert waiting.stdin
        waiting.stdin.close()
        assert waiting.wait(timeout=PATIENCE_S) == 0, f"{command[0]} failed"

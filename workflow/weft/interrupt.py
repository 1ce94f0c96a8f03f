"""Ctrl-C before the first job: one line, not a traceback from wherever Python happens to be; and
SIGTERM at any later moment."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType

#: The exit code of a process that Ctrl-C ended.
INTERRUPTED = 130
#: What to do before the process ends.
_last: list[Callable[[], object]] = []


def end_on_interrupt(arguments: Sequence[str]) -> None:
    """From now on Ctrl-C ends the process with code 130 and one line, until jobs begin.

    `arguments` are those of Snakemake: a process that it started for a job leaves Ctrl-C to the
    main process. So does one that was started to ignore it, like a command in the background of a
    script.
    """
    if "--mode" not in arguments and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def before_the_end(action: Callable[[], object]) -> None:
    """Run `action` first if Ctrl-C ends the process."""
    _last.append(action)


def jobs_begin() -> None:
    """Leave Ctrl-C to Snakemake, which ends its jobs first, and SIGTERM, for which it begins no
    more of them."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    answer = signal.getsignal(signal.SIGTERM)
    if callable(answer):
        signal.signal(signal.SIGTERM, _beside(answer))


def _beside(answer: Callable[[int, FrameType | None], object]) -> Callable[..., object]:
    """The answer to a signal in a thread of its own.

    Snakemake's takes a lock. The main thread, in which signals are answered, may hold that lock,
    and would then wait for itself forever.
    """
    return lambda *signalled: threading.Thread(target=answer, args=signalled).start()


def _end(*_: object) -> None:
    # Once is enough: the process is ending.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("weft: interrupted before anything ran", file=sys.stderr, flush=True)
    for action in _last:
        action()
    # An exception could be caught on its way by any of the libraries that are being imported.
    os._exit(INTERRUPTED)

"""Ctrl-C before the first job: one line, not a traceback from wherever Python happens to be; a
second Ctrl-C while jobs end; and SIGTERM at any later moment."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType

#: The exit code of a process that Ctrl-C ended.
INTERRUPTED = 130
#: What to do after Ctrl-C.
RESUMES = "interrupted: the same command resumes from what is finished"
#: What the pipe of signals has for it.
_CTRL_C = bytes([signal.SIGINT])
#: What to do before the process ends.
_last: list[Callable[[], object]] = []
#: Set by the first Ctrl-C once jobs have begun.
_ends_jobs = threading.Event()


def end_on_interrupt(arguments: Sequence[str]) -> None:
    """From now on Ctrl-C ends the process with code 130 and one line, until jobs begin.

    `arguments` are those of Snakemake: a process that it started for a job ends by the first
    Ctrl-C and leaves further ones to the main process. One that was started to ignore Ctrl-C, like
    a command in the background of a script, goes on ignoring it.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _of_a_job if "--mode" in arguments else _end)


def before_the_end(action: Callable[[], object]) -> None:
    """Run `action` first if Ctrl-C ends the process."""
    _last.append(action)


def jobs_begin() -> None:
    """Leave Ctrl-C to Snakemake, which ends its jobs first, and SIGTERM, for which it begins no
    more of them."""
    _keep_polars_out()
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _end_jobs)
    answer = signal.getsignal(signal.SIGTERM)
    if callable(answer):
        signal.signal(signal.SIGTERM, _beside(answer))


def _beside(answer: Callable[[int, FrameType | None], object]) -> Callable[..., object]:
    """The answer to a signal in a thread of its own.

    Snakemake's takes a lock. The main thread, in which signals are answered, may hold that lock,
    and would then wait for itself forever.
    """
    return lambda *signalled: threading.Thread(target=answer, args=signalled).start()


def _keep_polars_out() -> None:
    """Let Snakemake find no Polars, which would take Ctrl-C.

    Snakemake imports it for its first job, in case a parameter is a data frame, and none is. From
    then on the kernel would restart the call in which the main thread waits for jobs, and Python
    would see Ctrl-C only after the job.
    """
    # So Python marks a module that cannot be imported.
    sys.modules["polars"] = None  # type: ignore[assignment]


def ignore_interrupts() -> None:
    """From now on Ctrl-C changes nothing: the process is ending because of one."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _of_a_job(*_: object) -> None:
    ignore_interrupts()
    raise KeyboardInterrupt


def ends_jobs() -> bool:
    """Whether Ctrl-C ends the jobs of this process: that they fail is no news then."""
    return _ends_jobs.is_set()


def _end_jobs(*_: object) -> None:
    signal.signal(signal.SIGINT, _only_heard)
    _ends_jobs.set()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_answer_further_ones, args=(reader,), daemon=True).start()
    raise KeyboardInterrupt


def _only_heard(*_: object) -> None:
    """An exception would end Snakemake with a traceback while its jobs still write."""


def _answer_further_ones(reader: int) -> None:
    """Say at the second Ctrl-C that jobs are ending, and leave them at the third.

    A signal that arrives just before the main thread begins to wait for jobs is answered by Python
    only after that wait. The pipe has its number at once.
    """
    while os.read(reader, 1) != _CTRL_C:
        pass
    _say("weft: its jobs are ending; Ctrl-C once more does not wait for them")
    while os.read(reader, 1) != _CTRL_C:
        pass
    _say("weft: left its jobs; what they have finished stays")
    os._exit(INTERRUPTED)


def _say(line: str) -> None:
    # A print could be within another one, which the signal has interrupted.
    os.write(sys.stderr.fileno(), f"{line}\n".encode())


def _end(*_: object) -> None:
    # Once is enough: the process is ending.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("weft: interrupted before anything ran", file=sys.stderr, flush=True)
    for action in _last:
        action()
    # An exception could be caught on its way by any of the libraries that are being imported.
    os._exit(INTERRUPTED)

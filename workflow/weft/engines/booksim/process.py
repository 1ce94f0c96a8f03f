"""One run of the executable: its resources, and how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from weft.engines.booksim.output import DEADLOCK
from weft.engines.lifeline import ending_with_us
from weft.engines.limits import PointLimits

#: Seconds between looks at the process, and at what it has printed.
LOOK_S, READ_S = 0.02, 1.0
TAIL_BYTES, LAST_LINES = 16384, 15
_DEADLOCK_FOUND = "booksim found a deadlock: nothing arrived for a long time"


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that ended: `code` as of `subprocess`, `killed` why weft has ended it, in words."""

    code: int
    wall_s: float
    cpu_s: float
    peak_rss_bytes: int
    killed: str | None = None

    def problem(self) -> str | None:
        """What is wrong with how it ended.

        BookSim2's exit code is 255 after a good run and 0 after others, so it is ignored.
        """
        if self.killed:
            return self.killed
        if self.code < 0:
            return f"booksim was killed by signal {-self.code}"
        return None


def run_booksim(executable: Path, configuration: Path, log: Path, limits: PointLimits) -> Ended:
    """Run `executable` on a configuration; what it prints goes to `log`.

    Ends it when it takes more than `limits` or reports a deadlock, in which it would stay, and
    when this process ends. Raises OSError when it cannot be started.
    """
    command = [str(executable), str(configuration)]
    begin = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # the executable may be a script: all that it starts is ended
        )
        with ending_with_us(process):
            return _watch(process, log, begin, limits)


def _watch(process: subprocess.Popen[bytes], log: Path, begin: float, limits: PointLimits) -> Ended:
    killed, read = None, begin
    while True:
        # Not `wait`: only this call returns the usage of a single child.
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        now = time.monotonic()
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            cpu_s = usage.ru_utime + usage.ru_stime
            return Ended(process.returncode, now - begin, cpu_s, usage.ru_maxrss * 1024, killed)
        killed = killed or _too_much(process.pid, log, now - begin, limits)
        if not killed and now - read > READ_S:
            read = now
            killed = _DEADLOCK_FOUND if DEADLOCK in tail(log) else None
        if killed:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        time.sleep(min(LOOK_S, max(limits.timeout_s / 10, 0.001)))


def _too_much(pid: int, log: Path, wall_s: float, limits: PointLimits) -> str | None:
    if wall_s > limits.timeout_s:
        return (
            f"booksim was stopped after {limits.timeout_s:g} s; machine.booksim_timeout allows more"
        )
    if log.stat().st_size > limits.output_bytes:
        return (
            f"booksim was stopped, it prints more than {limits.output_bytes} B; "
            "machine.output_limit allows more"
        )
    with suppress(psutil.Error):
        if psutil.Process(pid).memory_info().rss > limits.memory_bytes:
            return (
                f"booksim was stopped, it uses more than {limits.memory_bytes} B of memory; "
                "machine.memory_limit allows more"
            )
    return None


def tail(log: Path) -> str:
    """The end of what a run has printed."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL_BYTES))
        return file.read().decode(errors="replace")


def last_lines(log: Path) -> str:
    """The last lines, each cut to what a person can read."""
    return "\n".join(line[:200] for line in tail(log).splitlines()[-LAST_LINES:])

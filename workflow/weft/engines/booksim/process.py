"""One run of the executable: its resources, and how it ended."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from weft.engines.booksim.output import DEADLOCK
from weft.engines.lifeline import ending_with_us

#: Seconds between looks at the process, and at what it has printed.
LOOK_S, READ_S = 0.02, 1.0
TAIL_BYTES, LAST_LINES = 16384, 15
#: A kill that is no ending of its own.
_TOO_LONG, _DEADLOCKED = "time", "deadlock"


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that ended: `code` as of `subprocess`, `killed` why weft has ended it."""

    code: int
    wall_s: float
    cpu_s: float
    peak_rss_bytes: int
    killed: str | None = None

    def problem(self, limit_s: float) -> str | None:
        """What is wrong with how it ended.

        BookSim2's exit code is 255 after a good run and 0 after others, so it tells nothing.
        """
        if self.killed == _TOO_LONG:
            return f"booksim was stopped after {limit_s:g} s; machine.booksim_timeout allows more"
        if self.killed == _DEADLOCKED:
            return "booksim found a deadlock: nothing arrived for a long time"
        if self.code < 0:
            return f"booksim was killed by signal {-self.code}"
        return None


def run_booksim(executable: Path, configuration: Path, log: Path, limit_s: float) -> Ended:
    """Run `executable` on a configuration; what it prints goes to `log`.

    Ends it when it takes longer than `limit_s` or tells of a deadlock, in which it would stay, and
    when this process ends. Raises OSError when it cannot be started.
    """
    command = [str(executable), str(configuration)]
    begin = time.monotonic()
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
        with ending_with_us(process):
            return _watch(process, log, begin, limit_s)


def _watch(process: subprocess.Popen[bytes], log: Path, begin: float, limit_s: float) -> Ended:
    killed, read = None, begin
    while True:
        # Not `wait`: only this call tells what a single child has used.
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        now = time.monotonic()
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            cpu_s = usage.ru_utime + usage.ru_stime
            return Ended(process.returncode, now - begin, cpu_s, usage.ru_maxrss * 1024, killed)
        if not killed and now - begin > limit_s:
            killed = _TOO_LONG
        elif not killed and now - read > READ_S:
            read = now
            killed = _DEADLOCKED if DEADLOCK in tail(log) else None
        if killed:
            process.kill()
        time.sleep(min(LOOK_S, max(limit_s / 10, 0.001)))


def tail(log: Path) -> str:
    """The end of what a run has printed."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL_BYTES))
        return file.read().decode(errors="replace")


def last_lines(log: Path) -> str:
    """The last lines, each cut to what a person can read."""
    return "\n".join(line[:200] for line in tail(log).splitlines()[-LAST_LINES:])

"""One run of somebody else's program: its resources, and how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from weft.engines.lifeline import ending_with_us
from weft.engines.limits import PointLimits
from weft.engines.memory import killed_by

#: Seconds between looks at the process, and at what it has printed.
LOOK_S, READ_S = 0.02, 1.0
TAIL_BYTES, LAST_LINES = 16384, 15


@dataclass(frozen=True, slots=True)
class Ended:
    """A run that ended: `code` as of `subprocess`, `killed` why weft has ended it, in words."""

    code: int
    wall_s: float
    cpu_s: float
    peak_rss_bytes: int
    killed: str | None = None

    def problem(self, name: str) -> str | None:
        """What is wrong with how the program `name` ended, by its exit code."""
        if self.killed:
            return self.killed
        if self.code < 0:
            return f"{name} {killed_by(-self.code)}"
        return f"{name} ended with exit code {self.code}" if self.code else None


def nothing_wrong(_: str) -> str | None:
    """What a program printed is no reason to end it."""
    return None


@dataclass(frozen=True, slots=True)
class ExternalProgram:
    """A program as messages call it, and the key of the machine that limits its time.

    `hopeless` says from the end of the output why going on is of no use, or None.
    """

    name: str
    timeout_key: str = "simulation_timeout"
    hopeless: Callable[[str], str | None] = nothing_wrong

    def run(
        self,
        command: Sequence[str],
        log: Path,
        limits: PointLimits,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Ended:
        """Run `command` in `folder`; what it prints goes to `log`.

        Ends it when it takes more than `limits` or is hopeless, and when this process ends. Raises
        OSError when it cannot be started.
        """
        begin = time.monotonic()
        with (
            log.open("wb") as out,
            ending_with_us(
                command,
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=None if environment is None else {**os.environ, **environment},
                cwd=folder,
                start_new_session=True,  # it may be a script: all that it starts is ended
            ) as process,
        ):
            return self._watch(process, log, begin, limits)

    def _watch(
        self, process: subprocess.Popen[bytes], log: Path, begin: float, limits: PointLimits
    ) -> Ended:
        killed, read = None, begin
        while True:
            # Not `wait`: only this call returns the usage of a single child.
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            now = time.monotonic()
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                cpu_s = usage.ru_utime + usage.ru_stime
                rss_bytes = usage.ru_maxrss * 1024
                return Ended(process.returncode, now - begin, cpu_s, rss_bytes, killed)
            killed = killed or self._too_much(process.pid, log, now - begin, limits)
            if not killed and now - read > READ_S:
                read = now
                killed = self.hopeless(tail(log))
            if killed:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            time.sleep(min(LOOK_S, max(limits.timeout_s / 10, 0.001)))

    def _too_much(self, pid: int, log: Path, wall_s: float, limits: PointLimits) -> str | None:
        if wall_s > limits.timeout_s:
            return (
                f"{self.name} was stopped after {limits.timeout_s:g} s; "
                f"to allow more, raise machine.{self.timeout_key}"
            )
        if log.stat().st_size > limits.output_bytes:
            return (
                f"{self.name} was stopped, it prints more than {limits.output_bytes} B; "
                "to allow more, raise machine.output_limit"
            )
        with suppress(psutil.Error):
            if _resident_bytes(pid) > limits.memory_bytes:
                return (
                    f"{self.name} was stopped, it uses more than {limits.memory_bytes} B of "
                    "memory; to allow more, raise machine.memory_limit"
                )
        return None


def _resident_bytes(pid: int) -> int:
    """Of a process and of all that it has started."""
    process = psutil.Process(pid)
    found = 0
    for each in (process, *process.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            found += each.memory_info().rss
    return found


def tail(log: Path) -> str:
    """The end of what a run has printed."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL_BYTES))
        return file.read().decode(errors="replace")


def last_lines(log: Path) -> str:
    """The last lines of a log."""
    return last_words(tail(log))


def last_words(text: str) -> str:
    """The last lines, each cut to what a person can read."""
    return "\n".join(line[:200] for line in text.splitlines()[-LAST_LINES:])

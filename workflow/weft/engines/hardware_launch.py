"""Launching an MPI program so that a crash or a hang ends in a reason, never in a leftover."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import psutil

from weft.engines.hardware_build import MeasurementError, last_lines

SIGNAL_IN_OUTPUT = re.compile(r"\bsignal (\d+)")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a launch took; memory is that of its largest process."""

    wall_s: float
    cpu_s: float
    peak_rss_bytes: int


def kill_tree(pid: int) -> None:
    """Kill a process and all its descendants.

    MPI launchers put ranks into sessions of their own, where a group's signal misses them.
    """
    with suppress(psutil.NoSuchProcess):
        root = psutil.Process(pid)
        for process in [root, *root.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                process.kill()


class _Watchdog:
    """Kills the launched processes after a while, and remembers that it did."""

    def __init__(self, pid: int, timeout_s: float) -> None:
        self.bitten = False
        self._pid = pid
        self._timer = Timer(timeout_s, self._bite)
        self._timer.start()

    def _bite(self) -> None:
        self.bitten = True
        kill_tree(self._pid)

    def cancel(self) -> None:
        self._timer.cancel()
        self._timer.join()


def _wait(
    process: subprocess.Popen[bytes], timeout_s: float
) -> tuple[resource.struct_rusage, bool]:
    """Wait for the end; return what was used, and whether the time-out forced the end."""
    watchdog = _Watchdog(process.pid, timeout_s)
    try:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    except BaseException:
        kill_tree(process.pid)
        process.wait()
        raise
    finally:
        watchdog.cancel()
    return usage, watchdog.bitten


def _reason(program: str, code: int, output: str) -> str:
    """Say how `program` ended, by the launcher's exit code and what it printed."""
    told = SIGNAL_IN_OUTPUT.search(output)
    number = int(told[1]) if told else max(-code, code - 128)
    with suppress(ValueError):
        return f"{program} was killed by signal {number} ({signal.Signals(number).name})"
    return f"{program} ended with exit code {code}"


def launch(command: Sequence[str], program: str, timeout_s: float, log: Path) -> Usage:
    """Run `command` to its end, its output in `log`.

    Raises MeasurementError when it fails or does not end within `timeout_s`.
    """
    started = time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            close_fds=False,  # the shard folder's lock lasts as long as a program that runs in it
        )
        usage, timed_out = _wait(process, timeout_s)
    text = log.read_text(errors="replace")
    if timed_out:
        reason = f"{program} did not end within {timeout_s:g} s and was stopped"
        raise MeasurementError(reason, last_lines(text))
    if process.returncode != 0:
        raise MeasurementError(_reason(program, process.returncode, text), last_lines(text))
    wall_s = time.perf_counter() - started
    return Usage(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)

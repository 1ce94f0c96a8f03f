"""Launching an MPI program so that a crash or a hang ends in a reason, never in a leftover."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Timer

import psutil

from weft.engines.hardware_errors import LaunchError, Usage, last_lines

#: How long a launcher may take to end its ranks before it is killed.
GRACE_S = 3.0
SIGNAL_IN_OUTPUT = re.compile(r"\bsignal (\d+)")


def stop(pid: int) -> None:
    """End a launcher and everything it started.

    The launcher is asked first, since only it reaches ranks on other nodes. MPI launchers put ranks
    into sessions of their own, where a group's signal misses them, so each is killed by itself.
    """
    with suppress(psutil.NoSuchProcess):
        root = psutil.Process(pid)
        started = root.children(recursive=True)
        with suppress(psutil.NoSuchProcess):
            root.terminate()
        _wait_for_end(root)
        with suppress(psutil.NoSuchProcess):
            started += root.children(recursive=True)
        for process in [root, *started]:
            with suppress(psutil.NoSuchProcess):
                process.kill()


def _wait_for_end(process: psutil.Process) -> None:
    """Wait a little; the process may be a child that another thread reaps."""
    deadline = time.monotonic() + GRACE_S
    while process.is_running() and time.monotonic() < deadline:
        with suppress(psutil.NoSuchProcess):
            if process.status() == psutil.STATUS_ZOMBIE:
                return
        time.sleep(0.05)


class _Watchdog:
    """Kills the launched processes after a while, and remembers that it did."""

    def __init__(self, pid: int, timeout_s: float) -> None:
        self.bitten = False
        self._pid = pid
        self._timer = Timer(timeout_s, self._bite)
        self._timer.start()

    def _bite(self) -> None:
        self.bitten = True
        stop(self._pid)

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
        stop(process.pid)
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


def launch(
    command: Sequence[str],
    program: str,
    timeout_s: float,
    log: Path,
    environment: Mapping[str, str] | None = None,
) -> Usage:
    """Run `command` to its end, its output in `log`; `environment` None is this process's own.

    Raises LaunchError when it fails or does not end within `timeout_s`.
    """
    started = time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=environment,
            close_fds=False,  # the shard folder's lock lasts as long as a program that runs in it
        )
        usage, timed_out = _wait(process, timeout_s)
    used = Usage(
        time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
    )
    text = log.read_text(errors="replace")
    if timed_out:
        reason = f"{program} did not end within {timeout_s:g} s and was stopped"
        raise LaunchError(reason, last_lines(text), used)
    if process.returncode != 0:
        raise LaunchError(_reason(program, process.returncode, text), last_lines(text), used)
    return used

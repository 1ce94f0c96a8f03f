"""Launching an MPI program so that a crash or a hang ends in a reason, never in a leftover."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import psutil

from weft.engines.hardware.errors import LaunchError, ProcessUsage, last_lines
from weft.engines.hardware.leftovers import no_leftovers
from weft.engines.lifeline import ending_with_us
from weft.engines.limits import DEFAULT_OUTPUT_BYTES

#: How long a launcher may take to end its ranks before it is killed.
GRACE_S = 3.0
#: How long a program may take to end once its results are published: longer than it allows itself.
ENDING_S = 15.0
LOOK_EVERY_S = 1.0
#: Where ranks of one node share memory, and what containers have of it by default.
SHARED_MEMORY, LITTLE_BYTES = Path("/dev/shm"), 64 << 20
#: Bytes at the end of what a program printed in which its reason to end is sought.
MOST_READ = 1 << 20
#: As the loader words it, for a function that is declared and not there.
UNDEFINED_IN_OUTPUT = re.compile(r"undefined symbol: (\w+)")
#: What a call of mgen.h prints before it ends all ranks.
FAILED_CALL_IN_OUTPUT = re.compile(r"\bMGEN: (\S.*)")
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
    """Stops the launched processes after a while, and remembers why it did.

    Once `output` is there, nothing but the end is missing, which gets `ENDING_S` only. What is
    printed goes to `log`, which may not grow without end.
    """

    def __init__(
        self, pid: int, timeout_s: float, output: Path | None, log: Path, log_bytes: int
    ) -> None:
        self.bitten: str | None = None
        self._pid, self._timeout_s, self._output = pid, timeout_s, output
        self._log, self._log_bytes = log, log_bytes
        self._ended = Event()
        self._thread = Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        deadline = time.monotonic() + self._timeout_s
        allowed = f"{self._timeout_s:g} s"
        while not self._ended.wait(max(0.0, min(LOOK_EVERY_S, deadline - time.monotonic()))):
            if self._output and self._output.exists():
                self._output = None
                deadline = min(deadline, time.monotonic() + ENDING_S)
                allowed = f"{ENDING_S:g} s of its last result"
            if time.monotonic() >= deadline:
                self.bitten = f"did not end within {allowed} and was stopped"
            elif self._log.stat().st_size > self._log_bytes:
                self.bitten = (
                    f"prints more than {self._log_bytes} B and was stopped; to allow more, raise "
                    "machine.output_limit"
                )
            if self.bitten:
                stop(self._pid)
                return

    def cancel(self) -> None:
        self._ended.set()
        self._thread.join()


def _wait(
    process: subprocess.Popen[bytes], watchdog: _Watchdog
) -> tuple[resource.struct_rusage, str | None]:
    """Wait for the end; return what was used, and what forced the end."""
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
    if undefined := UNDEFINED_IN_OUTPUT.search(output):
        return f"{program} uses {undefined[1]}, which no file or library defines"
    if failed := FAILED_CALL_IN_OUTPUT.search(output):
        return f"{program}: {failed[1]}"
    signalled = SIGNAL_IN_OUTPUT.search(output)
    number = int(signalled[1]) if signalled else max(-code, code - 128)
    with suppress(ValueError):
        said = f"{program} was killed by signal {number} ({signal.Signals(number).name})"
        return said + (_little_shared_memory() if number == signal.SIGBUS else "")
    return f"{program} ended with exit code {code}"


def _little_shared_memory() -> str:
    """What to do about SIGBUS, by which ranks end whose shared memory does not fit."""
    size = shutil.disk_usage(SHARED_MEMORY).total if SHARED_MEMORY.is_dir() else LITTLE_BYTES + 1
    if size > LITTLE_BYTES:
        return ""
    return (
        f"; {SHARED_MEMORY} has {size >> 10} KiB, which may be too little for the memory that "
        "ranks share: enlarge it (docker run --shm-size=1g)"
    )


def _end_of(log: Path) -> str:
    """The last that was printed: a program may have printed gigabytes before anybody looked."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - MOST_READ))
        return file.read().decode(errors="replace")


def launch(
    command: Sequence[str],
    program: str,
    timeout_s: float,
    log: Path,
    environment: Mapping[str, str] | None = None,
    results: Path | None = None,
    log_bytes: int = DEFAULT_OUTPUT_BYTES,
) -> ProcessUsage:
    """Run `command` to its end, what it prints in `log`; `environment` None is this process's own.

    `results` is the file that the program publishes when it has measured everything.

    Raises LaunchError when it fails, does not end within `timeout_s`, or prints more than
    `log_bytes`.
    """
    started = time.perf_counter()
    with log.open("wb") as output, no_leftovers(GRACE_S) as mark:
        with ending_with_us(
            command,
            mark,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=environment,
            close_fds=False,  # the shard folder's lock lasts as long as a program that runs in it
        ) as process:
            watchdog = _Watchdog(process.pid, timeout_s, results, log, log_bytes)
            usage, bitten = _wait(process, watchdog)
        wall_s = time.perf_counter() - started
    used = ProcessUsage(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
    text = _end_of(log)
    if bitten:
        raise LaunchError(f"{program} {bitten}", last_lines(text), used)
    if process.returncode != 0:
        raise LaunchError(_reason(program, process.returncode, text), last_lines(text), used)
    return used

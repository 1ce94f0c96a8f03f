"""One command in a process group of its own, which ends as a whole."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

#: From the first signal to the last.
_GRACE_S = 5.0
# Its standard input closes when this process ends, killed or not. Jobs outlive Snakemake, so the
# whole group has to end, or else it holds the lock of its folder.
_WATCH = 'read -r _; kill -s TERM -- "-$1"; sleep 3; kill -s KILL -- "-$1"'


@dataclass(slots=True)
class ProcessGroup:
    """A running command with all that it started."""

    process: subprocess.Popen[bytes]
    #: Ends the command when this process does.
    watch: subprocess.Popen[bytes]

    @classmethod
    def start(
        cls, command: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str]
    ) -> ProcessGroup:
        """Start a command in `folder`; what it prints is appended to `log`."""
        with log.open("ab") as output:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        watch = subprocess.Popen(
            ["sh", "-c", _WATCH, "sh", str(process.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return cls(process, watch)

    def ended(self) -> int | None:
        """The exit code, or None while it runs."""
        return self.process.poll()

    def end(self) -> None:
        """End the command and everything below it, also what left its process group."""
        below = self._below()
        self._signal(signal.SIGTERM, below)
        limit = time.monotonic() + _GRACE_S
        while time.monotonic() < limit and (self.ended() is None or _alive(below)):
            time.sleep(0.05)
        below += self._below()
        self._signal(signal.SIGKILL, below)
        self.process.wait()
        self.watch.kill()
        self.watch.communicate()

    def _below(self) -> list[psutil.Process]:
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def _signal(self, number: signal.Signals, below: Sequence[psutil.Process]) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)
        for each in below:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(number)


def _alive(processes: Sequence[psutil.Process]) -> bool:
    return any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)

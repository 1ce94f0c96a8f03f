"""One run of a module in a process group of its own, which ends as a whole."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil

from weft.service.preloaded import preloading

#: What planning and running import.
_PRELOADED = ("snakemake.cli", "weft.service.worker.preload")
#: From the first signal to the last.
_GRACE_S = 5.0
# Its standard input brings the number of the group, and closes when this process ends, killed or
# not. Jobs outlive Snakemake: unless the whole group ends, it holds the lock of its folder.
_WATCH = """
read -r group || exit
read -r _
kill -s TERM -- "-$group"
sleep 3
kill -s KILL -- "-$group"
"""


@dataclass(slots=True)
class ProcessGroup:
    """A running command with all that it started."""

    process: BaseProcess
    number: int
    #: Ends the command when this process does, which alone keeps the `line` to it open.
    watch: subprocess.Popen[bytes]
    line: Connection

    @classmethod
    def start(
        cls,
        module: str,
        words: Sequence[str],
        folder: Path,
        log: Path,
        environment: Mapping[str, str],
    ) -> ProcessGroup:
        """Run a module as a command in `folder`; what it prints is appended to `log`."""
        context = preloading(*_PRELOADED)
        heard, line = context.Pipe(duplex=False)
        watch = subprocess.Popen(
            ["sh", "-c", _WATCH],
            stdin=heard.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        heard.close()
        process = context.Process(
            target=_become, args=(line, module, [*words], str(folder), str(log), {**environment})
        )
        process.start()
        assert process.pid is not None
        return cls(process, process.pid, watch, line)

    def ended(self) -> int | None:
        """The exit code, or None while it runs."""
        return self.process.exitcode

    def end(self) -> None:
        """End the command and everything below it, also what left its process group."""
        below = self._below()
        self._signal(signal.SIGTERM, below)
        limit = time.monotonic() + _GRACE_S
        while time.monotonic() < limit and (self.ended() is None or _alive(below)):
            time.sleep(0.05)
        below += self._below()
        self._signal(signal.SIGKILL, below)
        self.process.join()
        self.watch.kill()
        self.watch.communicate()
        self.line.close()

    def _below(self) -> list[psutil.Process]:
        try:
            return psutil.Process(self.number).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def _signal(self, number: signal.Signals, below: Sequence[psutil.Process]) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.number, number)
        for each in below:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(number)


def _become(
    line: Connection,
    module: str,
    words: list[str],
    folder: str,
    log: str,
    environment: dict[str, str],
) -> None:
    """Be what `python -m module` would be in a session of its own."""
    os.setsid()
    # By the new process itself: wherever its parent is killed, the watch reads the number first.
    os.write(line.fileno(), b"%d\n" % os.getpid())
    line.close()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(
            number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        )
    output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for opened, place in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(opened, place)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _alive(processes: Sequence[psutil.Process]) -> bool:
    return any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)

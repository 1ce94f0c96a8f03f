"""Runs a command in a sandbox and ends it at its limits."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weft.confine.sandbox import Sandbox

#: Time between two looks. What a bomb of processes makes in it ends with the sandbox.
_LOOK_S = 0.02
_CHUNK_BYTES = 64 << 10
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class SandboxEnd:
    """How a command ended."""

    code: int
    #: What it printed, up to the limit; nothing if it was shown.
    output: bytes
    #: The limit that it exceeded, as a sentence; empty if it ended by itself.
    limit: str = ""


def run(
    sandbox: Sandbox, command: Sequence[str], show: Callable[[bytes], object] | None = None
) -> SandboxEnd:
    """Run `command` to its end, or to the first limit that it exceeds.

    `show` gets what it prints, as it comes and up to the limit.
    """
    process = subprocess.Popen(
        sandbox.command(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # bubblewrap needs none of them, and they may hold secrets.
        env={"PATH": os.environ.get("PATH", "")},
        start_new_session=True,
    )
    printed = _Printed(sandbox.limits.output_bytes, show)
    limit = ""
    try:
        for limit in _exceeded(process, sandbox, printed):
            if limit:
                break
    finally:
        # The first process of the sandbox takes all others with it, whatever they did.
        for number in below(process.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        with suppress(ProcessLookupError):
            process.kill()
        code = process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return SandboxEnd(code, bytes(printed.kept), limit)


class _Printed:
    """What a command prints, up to a limit."""

    def __init__(self, most_bytes: int, show: Callable[[bytes], object] | None) -> None:
        self._left, self.kept = most_bytes, bytearray()
        self._show = show or self.kept.extend
        self.is_too_much = False

    def add(self, chunk: bytes) -> None:
        self._show(chunk[: self._left])
        self.is_too_much = self.is_too_much or len(chunk) > self._left
        self._left = max(0, self._left - len(chunk))


def _exceeded(
    process: subprocess.Popen[bytes], sandbox: Sandbox, printed: _Printed
) -> Iterator[str]:
    """After each look the limit that is exceeded, or nothing, until the command ends."""
    limits, began, looked = sandbox.limits, time.monotonic(), 0.0
    with selectors.DefaultSelector() as selector:
        assert process.stdout is not None
        selector.register(process.stdout, selectors.EVENT_READ)
        is_open = True
        while is_open or process.poll() is None:
            if is_open and selector.select(_LOOK_S):
                chunk = os.read(process.stdout.fileno(), _CHUNK_BYTES)
                is_open = bool(chunk)
                printed.add(chunk)
            elif not is_open:
                time.sleep(_LOOK_S)
            now = time.monotonic()
            if printed.is_too_much:
                yield f"it prints more than {limits.output_bytes} B"
            if now - began > limits.wall_s:
                yield f"it takes more than {limits.wall_s:g} s"
            if now - looked >= _LOOK_S:
                looked = now
                yield _used_up(process, sandbox)


def _used_up(process: subprocess.Popen[bytes], sandbox: Sandbox) -> str:
    limits, memory_bytes, tasks = sandbox.limits, 0, 0
    for number in below(process.pid):
        with suppress(OSError, ValueError, IndexError):
            memory_bytes += int(Path(f"/proc/{number}/statm").read_text().split()[1]) * _PAGE_BYTES
            tasks += sum(1 for _ in Path(f"/proc/{number}/task").iterdir())
    if tasks > limits.tasks:
        return f"it has more than {limits.tasks} processes and threads"
    if memory_bytes > limits.memory_bytes:
        return f"it uses more than {limits.memory_bytes} B of memory"
    return ""


def below(number: int) -> list[int]:
    """Processes that a process has started, and that these have started.

    The kernel lists children by their parents' threads. A look at all processes of a busy machine
    would take longer than the time between two looks.
    """
    found, unseen = [], [number]
    while unseen:
        # It may end in between.
        with suppress(OSError):
            for thread in Path(f"/proc/{unseen.pop()}/task").iterdir():
                new = [int(word) for word in (thread / "children").read_text().split()]
                found += new
                unseen += new
    return found

"""Runs a command in a sandbox and ends it at its limits."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import psutil

from weft.confine.sandbox import Sandbox

#: Time between two looks. What a bomb of processes makes in it ends with the sandbox.
_LOOK_S = 0.02
_CHUNK_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class SandboxEnd:
    """How a command ended."""

    code: int
    #: What it printed, up to the limit.
    output: bytes
    #: The limit that it exceeded, as a sentence; empty if it ended by itself.
    limit: str = ""


def run(sandbox: Sandbox, command: Sequence[str]) -> SandboxEnd:
    """Run `command` to its end, or to the first limit that it exceeds."""
    process = subprocess.Popen(
        sandbox.command(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # bubblewrap needs none of them, and they may hold secrets.
        env={"PATH": os.environ.get("PATH", "")},
        start_new_session=True,
    )
    printed = bytearray()
    limit = ""
    try:
        for limit in _exceeded(process, sandbox, printed):
            if limit:
                break
    finally:
        # The first process of the sandbox takes all others with it, whatever they did.
        for each in _inside(process):
            with suppress(psutil.NoSuchProcess):
                each.send_signal(signal.SIGKILL)
        with suppress(ProcessLookupError):
            process.kill()
        code = process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return SandboxEnd(code, bytes(printed[: sandbox.limits.output_bytes]), limit)


def _exceeded(
    process: subprocess.Popen[bytes], sandbox: Sandbox, printed: bytearray
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
                printed += chunk
            elif not is_open:
                time.sleep(_LOOK_S)
            now = time.monotonic()
            if len(printed) > limits.output_bytes:
                yield f"it prints more than {limits.output_bytes} B"
            if now - began > limits.wall_s:
                yield f"it takes more than {limits.wall_s:g} s"
            if now - looked >= _LOOK_S:
                looked = now
                yield _used_up(process, sandbox)


def _used_up(process: subprocess.Popen[bytes], sandbox: Sandbox) -> str:
    limits, memory_bytes, tasks = sandbox.limits, 0, 0
    for each in _inside(process):
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            memory_bytes += each.memory_info().rss
            tasks += each.num_threads()
    if tasks > limits.tasks:
        return f"it has more than {limits.tasks} processes and threads"
    if memory_bytes > limits.memory_bytes:
        return f"it uses more than {limits.memory_bytes} B of memory"
    return ""


def _inside(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process.pid).children(recursive=True)
    return []

"""Which layers of confinement this machine has, found by trying."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from weft.confine.sandbox import PROGRAM, Sandbox

#: System calls have the same number on all processors since Linux 5.1.
_LANDLOCK_CREATE_RULESET = 444
_ASK_VERSION = 1
_SECCOMP = Path("/proc/sys/kernel/seccomp/actions_avail")
#: A busy machine takes long for it.
_LONGEST_START_S = 300.0
#: How bubblewrap refuses to run with capabilities that its user does not have as root.
_CAPABILITIES = "Unexpected capabilities"
#: The variable by which simulators confine programs.
_VARIABLE = b"WEFT_CONFINEMENT"


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer; `problem` is empty where it works."""

    name: str
    found: str
    problem: str = ""


def layers(simulators: Iterable[Path]) -> Iterator[Layer]:
    """All layers, in the order in which an attack meets them; `simulators` run programs."""
    yield _sandbox()
    yield _limits()
    version = ctypes.CDLL(None, use_errno=True).syscall(
        _LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION
    )
    there = version > 0
    yield Layer("Landlock", f"ABI {version}", "" if there else "the kernel has no Landlock")
    actions = _SECCOMP.read_text() if _SECCOMP.is_file() else ""
    problem = "" if {"trap", "errno"} <= {*actions.split()} else "the kernel has no seccomp filters"
    yield Layer("seccomp", "filters of system calls", problem)
    yield _simulators([*simulators])


def missing_to_build() -> list[str]:
    """What is missing for commands that run in a sandbox and load no program themselves."""
    return [f"{layer.name}: {layer.problem}" for layer in (_sandbox(), _limits()) if layer.problem]


def missing_layers(simulators: Iterable[Path]) -> list[str]:
    """The layers that a service lacks for programs of strangers; empty if it may run them."""
    return [f"{layer.name}: {layer.problem}" for layer in layers(simulators) if layer.problem]


def _limits() -> Layer:
    """The limits of memory and tasks hold for all processes together: the kernel must list them."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").is_file()
    problem = "" if listed else "the kernel lists no processes by their parents"
    return Layer("limits", "of memory, tasks, time, output and files", problem)


def _sandbox() -> Layer:
    name = "bubblewrap"
    if which(PROGRAM) is None:
        return Layer(name, "", f"{PROGRAM} is not installed (Debian's package bubblewrap)")
    with tempfile.TemporaryDirectory(prefix="weft-confine-") as work:
        try:
            done = subprocess.run(
                Sandbox(Path(work)).command(["true"]),
                capture_output=True,
                text=True,
                timeout=_LONGEST_START_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Layer(name, "", "a sandbox does not start")
    said = _with_cure(done.stderr.strip()) or f"exit code {done.returncode}"
    return Layer(name, "a sandbox starts", "" if done.returncode == 0 else said)


def _with_cure(said: str) -> str:
    """What bubblewrap says, with what helps where its words do not tell."""
    if _CAPABILITIES not in said:
        return said
    # Those of the process were dropped (`weft.confine.sandbox`).
    return f"{said} {PROGRAM}'s file has capabilities, remove them: setcap -r {which(PROGRAM)}"


def _simulators(simulators: list[Path]) -> Layer:
    """Older simulators ignore the variable, so asking them has no effect."""
    old = [str(path) for path in simulators if _VARIABLE not in path.read_bytes()]
    problem = f"{', '.join(old)} cannot confine programs: build a newer one" if old else ""
    if not simulators:
        problem = "no simulator that runs programs is built"
    return Layer("simulators", "confine programs before they load them", problem)

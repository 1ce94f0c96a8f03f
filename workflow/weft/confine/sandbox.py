"""What a command of strangers sees and may use, as a command of bubblewrap."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

PROGRAM = "bwrap"
#: Drops what a container or a unit of systemd hands to an ordinary user: bubblewrap refuses that.
_DROP = ("setpriv", "--inh-caps=-all", "--ambient-caps=-all")
_STATUS = Path("/proc/self/status")
#: A folder in memory, inside a sandbox.
TEMPORARY = "/tmp"
#: What of the system a compiler and a simulator need; a missing path is left out.
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
#: Sets limits inside the sandbox, then becomes the command.
_LIMITED = Path(__file__).with_name("limited.py")


@dataclass(frozen=True, slots=True)
class Limits:
    """What all processes of a sandbox may use together, unless a line says otherwise."""

    wall_s: float = 3600.0
    #: Of one process.
    processor_s: int = 3600
    memory_bytes: int = 4 << 30
    #: What they print.
    output_bytes: int = 64 << 20
    #: Of one file.
    file_bytes: int = 1 << 30
    #: Of one process.
    open_files: int = 256
    tasks: int = 64
    #: Of the temporary folder, which is in memory.
    temporary_bytes: int = 256 << 20


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The files and variables of a command. Everything else is missing in it."""

    #: Folder that it may change.
    work: Path
    #: Files and folders that it may read, at their own paths.
    readable: Sequence[Path] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = Limits()
    #: Folder in which the command begins: `work` unless given. What it holds is not there by that.
    begins: Path | None = None

    def command(self, command: Sequence[str]) -> list[str]:
        """The command that runs `command` in this sandbox."""
        bound = [part for path in SYSTEM for part in ("--ro-bind-try", path, path)]
        read = [
            part
            for path in (*_interpreter(), *self.readable, _LIMITED)
            for part in ("--ro-bind", str(path), str(path))
        ]
        variables = {
            "PATH": "/usr/bin:/bin",
            "HOME": TEMPORARY,
            "LC_ALL": "C.UTF-8",
            **self.variables,
        }
        named = [part for name, value in variables.items() for part in ("--setenv", name, value)]
        limits = self.limits
        return [
            *_dropping(),
            PROGRAM,
            "--unshare-all",
            "--unshare-user",
            "--disable-userns",
            "--die-with-parent",
            "--new-session",
            *("--cap-drop", "ALL"),
            "--clearenv",
            *bound,
            *("--proc", "/proc"),
            *("--dev", "/dev"),
            *("--size", str(limits.temporary_bytes), "--tmpfs", TEMPORARY),
            *("--size", str(limits.temporary_bytes), "--tmpfs", "/dev/shm"),
            *read,
            *("--bind", str(self.work), str(self.work)),
            *(("--dir", str(self.begins)) if self.begins else ()),
            *("--chdir", str(self.begins or self.work)),
            *named,
            "--",
            *(sys.executable, "-I", str(_LIMITED)),
            *(str(each) for each in (limits.processor_s, limits.file_bytes, limits.open_files)),
            *command,
        ]


def _dropping() -> Sequence[str]:
    """What stands before bubblewrap; it has to be there itself, so that its absence is noticed."""
    is_needed = _has_handed_capabilities() and which(_DROP[0]) and which(PROGRAM)
    return _DROP if is_needed else ()


def _has_handed_capabilities() -> bool:
    """Whether what this process starts has capabilities although its user is not root."""
    if os.geteuid() == 0 or not _STATUS.is_file():
        return False
    lines = _STATUS.read_text().splitlines()
    sets = [line.split()[1] for line in lines if line.startswith(("CapInh:", "CapAmb:"))]
    return any(int(each, 16) for each in sets)


def _interpreter() -> list[Path]:
    """Folders of this Python that lie outside of the system's."""
    places = {Path(sys.prefix), Path(sys.base_prefix)}
    return sorted(path for path in places if not path.is_relative_to("/usr"))

"""The BookSim2 executable of a machine."""

from __future__ import annotations

import shutil
from pathlib import Path

from weft.engines.external.engine import ABSENT
from weft.engines.external.version import digest, module_digest
from weft.machine import MachineFile

#: Names that are looked for on the PATH.
NAMES = ("booksim", "booksim2")


def find_executable(machine: MachineFile) -> Path | None:
    """The executable that `booksim_path` of the machine file names, else one on the PATH."""
    named = machine.booksim_path
    places = [str(Path(named).expanduser())] if named else NAMES
    found = next(filter(None, map(shutil.which, places)), None)
    return Path(found).absolute() if found else None


def why_absent(machine: MachineFile) -> str:
    """The reason for which points are skipped, and what to do."""
    named = machine.booksim_path
    if named:
        return f"no booksim executable: machine.booksim_path names {named}, which is not executable"
    return (
        "no booksim executable: build BookSim2 (docs/booksim.md), and set machine.booksim_path or"
        " put booksim or booksim2 on the PATH"
    )


def executable_version(executable: Path | None) -> str:
    """`<digest of the executable>+<digest of this module>`, 12 hex digits each, or `absent`.

    A mended reading of the output must not leave what was read before.
    """
    if executable is None:
        return ABSENT
    return f"{digest([executable])}+{module_digest(Path(__file__).parent)}"

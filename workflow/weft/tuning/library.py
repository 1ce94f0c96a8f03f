"""What the MPI library of a machine has built in."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

from weft.engines.hardware.site import ANSWER_S, find_mpicc, rank_environment
from weft.machine import MachineFile
from weft.tuning.mpich import Tree, built_in


def built_in_table_of(machine: MachineFile) -> Tree | None:
    """The table in the machine's MPI library if it is an MPICH that has one; None for others.

    Raises EngineError where the machine has no MPI.
    """
    environment = rank_environment(machine)
    mpicc = find_mpicc(machine, environment)
    shown = subprocess.run(
        [mpicc, "-show"], capture_output=True, text=True, timeout=ANSWER_S, env=dict(environment)
    )
    folders = [Path(word[2:]) for word in shlex.split(shown.stdout) if word.startswith("-L")]
    # `libmpi.so` may be a linker script that names the library.
    patterns = ("libmpich.so*", "libmpi.so*")
    paths = [path for each in folders for name in patterns for path in sorted(each.glob(name))]
    found = (built_in(path.read_bytes()) for path in paths if path.is_file())
    return next((table for table in found if table is not None), None)

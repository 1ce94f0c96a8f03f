"""When measurements are comparable: same runners, same MPI, same way to run them."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from weft.engines.base import EngineError
from weft.engines.hardware.build import ALL_FLAGS, sources_digest
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.recorder import recorder_digest
from weft.engines.hardware.site import LOCAL, find_mpicc, rank_environment
from weft.machine import MachineFile

#: Keys of the machine file that can change a measurement; time limits, accounts and sizes of jobs
#: cannot.
MEASURED = (
    "name", "launcher", "launcher_arguments", "mpi", "mode", "pmi", "binds", "modules",
    "environment", "ranks_per_node", "exclusive", "bind", "oversubscribe", "partition",
    "constraint",
)  # fmt: skip


def measurement_version(sources: Path, machine: MachineFile, image: str | None) -> str:
    """Names the runners, the recorder, machine and MPI: measurements are comparable if it is equal.

    Raises EngineError when the machine's mode needs an image and there is none.
    """
    mode = machine.mode
    if mode != "native" and image is None:
        raise EngineError(
            f"machine '{machine.name}' has mode {mode}, which needs the image of "
            "containers/hardware.def"
        )
    content = {
        "sources": sources_digest(sources),
        "recorder": recorder_digest(sources),
        "flags": ALL_FLAGS,
        "machine": {key: getattr(machine, key) for key in MEASURED}
        | {"name": machine.name or LOCAL},
        "image": image if mode != "native" else None,
        **({"launcher_template": template} if (template := machine.launcher_template) else {}),
        "mpicc": None if mode == "hybrid" else _compiler_digest(machine),
    }
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


def _compiler_digest(machine: MachineFile) -> str | None:
    """The compiler wrapper's content, which changes with the MPI's version; None without one.

    A missing compiler is a matter of the measurement, not of planning it.
    """
    try:
        return sha256(find_mpicc(machine, rank_environment(machine)).read_bytes()).hexdigest()
    except (MeasurementError, OSError):
        return None

"""Which machine measured something: what distinguishes machines, without names of hosts."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path


def cpu_model() -> str:
    """The processor of this machine, as the system names it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@dataclass(frozen=True, slots=True)
class MachineIdentity:
    """A machine by the name of its file, its processor and how many processors a node has."""

    name: str
    cpu: str
    processors: int

    @property
    def id(self) -> str:
        """Eight hex digits: equal for nodes that are alike."""
        text = "\n".join(f"{key}: {value}" for key, value in sorted(asdict(self).items()))
        return sha256(text.encode()).hexdigest()[:8]

    @classmethod
    def here(cls, name: str) -> MachineIdentity:
        """This machine, under the machine file called `name`."""
        return cls(name, cpu_model(), os.cpu_count() or 1)

    @classmethod
    def of_run(cls, environment: Mapping[str, object]) -> MachineIdentity:
        """The machine of a measured run, by what is recorded beside it."""
        processors = environment.get("processors")
        return cls(
            str(environment.get("machine", "")),
            str(environment.get("cpu", "")),
            processors if isinstance(processors, int) else 0,
        )

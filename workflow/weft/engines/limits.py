"""Limits of one point: wall-clock time, memory, output. They are not a part of the point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import psutil

from weft.machine import MachineFile

#: Key of a machine -> key of `limits` in a shard file; a simulator knows the defaults.
LIMITS: Mapping[str, str] = {
    "simulation_timeout_s": "timeout_s",
    "memory_limit_bytes": "memory_bytes",
    "output_limit_bytes": "output_bytes",
}
DEFAULT_OUTPUT_BYTES = MachineFile().output_limit_bytes


@dataclass(frozen=True, slots=True)
class PointLimits:
    """What weft itself watches, of programs that do not."""

    timeout_s: float
    memory_bytes: int
    output_bytes: int

    @classmethod
    def of(cls, machine: MachineFile, timeout_s: float | None = None) -> PointLimits:
        """Those of `machine`, with another time where `timeout_s` is given."""
        memory = machine.memory_limit_bytes or psutil.virtual_memory().total * 9 // 10
        timeout = timeout_s or machine.simulation_timeout_s
        output = machine.output_limit_bytes
        return cls(float(timeout), int(memory), int(output))


def stated(machine: MachineFile) -> dict[str, object]:
    """The `limits` of a simulator's shard file: what the machine says."""
    plain = machine.plain()
    return {name: plain[key] for key, name in LIMITS.items() if key in plain}

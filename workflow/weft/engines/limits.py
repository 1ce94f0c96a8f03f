"""What one point may take: wall-clock time, memory, output. Not a part of any point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psutil

#: Key of a machine -> key of `limits` in a shard file; a simulator knows the defaults.
LIMITS: Mapping[str, str] = {
    "simulation_timeout_s": "timeout_s",
    "memory_limit_bytes": "memory_bytes",
    "output_limit_bytes": "output_bytes",
}
DEFAULT_TIMEOUT_S = 3600.0
DEFAULT_OUTPUT_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class PointLimits:
    """What weft itself watches, of programs that do not."""

    timeout_s: float
    memory_bytes: int
    output_bytes: int

    @classmethod
    def of(cls, machine: Mapping[str, Any], timeout_s: float | None = None) -> PointLimits:
        """Those of `machine`, with another time where `timeout_s` is given."""
        memory = machine.get("memory_limit_bytes") or psutil.virtual_memory().total * 9 // 10
        timeout = timeout_s or machine.get("simulation_timeout_s") or DEFAULT_TIMEOUT_S
        output = machine.get("output_limit_bytes") or DEFAULT_OUTPUT_BYTES
        return cls(float(timeout), int(memory), int(output))


def stated(machine: Mapping[str, Any]) -> dict[str, Any]:
    """The `limits` of a simulator's shard file: what the machine says."""
    return {name: machine[key] for key, name in LIMITS.items() if machine.get(key) is not None}

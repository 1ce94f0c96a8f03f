"""How busy this node is: load average, and the processors' time that a hypervisor took."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

STAT = Path("/proc/stat")
#: The places of `idle` and `steal` among the numbers of the first line of /proc/stat; guests'
#: times, which come behind them, are counted among the others already.
IDLE, STEAL = 3, 7


@dataclass(frozen=True, slots=True)
class MachineLoad:
    """A look at this node: the load average of a minute, and clock ticks since it started."""

    load_average: float
    ticks: int
    stolen: int
    idle: int

    @classmethod
    def now(cls) -> MachineLoad:
        """How busy this node is now; without /proc the stolen time is 0."""
        load = round(os.getloadavg()[0], 2)
        try:
            words = STAT.read_text().partition("\n")[0].split()[1 : STEAL + 2]
            ticks = [int(word) for word in words]
        except (OSError, ValueError):
            ticks = []
        stolen, idle = (ticks[each] if len(ticks) > each else 0 for each in (STEAL, IDLE))
        return cls(load, sum(ticks), stolen, idle)

    def steal_since(self, earlier: MachineLoad) -> float:
        """The share of the processors' time that others took since then."""
        return (self.stolen - earlier.stolen) / max(1, self.ticks - earlier.ticks)

    def idle_since(self, earlier: MachineLoad) -> float:
        """The share of the processors' time for which nothing was to be done since then."""
        return (self.idle - earlier.idle) / max(1, self.ticks - earlier.ticks)

    def facts_since(self, earlier: MachineLoad) -> dict[str, object]:
        """What stands beside a measurement."""
        return {
            "load_average": earlier.load_average,
            "load_average_after": self.load_average,
            "steal_share": round(self.steal_since(earlier), 4),
        }

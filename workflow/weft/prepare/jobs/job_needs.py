"""What the jobs of an experiment need, as the main process leaves it to jobs on other machines.

Plain data: a job reads it before it loads anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Protocol, TypedDict

from weft.machine import MachineFile


@dataclass(frozen=True, slots=True)
class Need:
    """What one job asks for; unless known, at least this: Python, Arrow and an estimate that may
    be wrong want some room."""

    memory_mb: int = 2000
    runtime_min: int = 15

    def at_least(self, other: Need) -> Need:
        """Enough for both."""
        return Need(max(self.memory_mb, other.memory_mb), max(self.runtime_min, other.runtime_min))

    def given(self, memory_mb: int | None, runtime_min: int | None) -> Need:
        """With the numbers of the machine file, if given, in place of estimates."""
        return Need(memory_mb or self.memory_mb, runtime_min or self.runtime_min)


LEAST = Need()


@dataclass(frozen=True, slots=True)
class MeasuredShard:
    """A shard that is measured: what its job needs on each node, and its ranks.

    One that is `refused` has only points that no job of the machine can measure.
    """

    need: Need
    ranks: int
    refused: bool = False


class StoredNeeds(TypedDict):
    """The JSON of `JobNeeds`."""

    simulate: dict[str, int]
    measure: dict[str, dict[str, int]]
    machine: dict[str, object]


@dataclass(frozen=True, slots=True)
class JobNeeds:
    """Of an experiment: `simulate` is the need of its largest unfinished shard, `measure` has those
    that are measured, by name."""

    simulate: Need
    measure: Mapping[str, MeasuredShard]
    machine: MachineFile

    def stored(self) -> StoredNeeds:
        """As JSON holds it."""
        return {
            "simulate": asdict(self.simulate),
            "measure": {
                shard: {**asdict(each.need), "ranks": each.ranks, "refused": each.refused}
                for shard, each in self.measure.items()
            },
            "machine": self.machine.plain(),
        }

    @classmethod
    def read(cls, stored: StoredNeeds) -> JobNeeds:
        """From the JSON."""
        measure = {
            shard: MeasuredShard(
                Need(each["memory_mb"], each["runtime_min"]),
                each["ranks"],
                bool(each.get("refused", False)),
            )
            for shard, each in stored["measure"].items()
        }
        return cls(Need(**stored["simulate"]), measure, MachineFile.read(stored["machine"]))


class Wildcards(Protocol):
    """What Snakemake knows of a job."""

    experiment: str
    engine: str
    shard: str

"""Engines: what each of them may be told."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from weft.config.base import Settings, SpecName
from weft.config.quantities import Time
from weft.config.topology import Count


class EngineSettings(Settings):
    """Base of all engines; `shard_points` belongs to the plan, the rest to the points."""

    shard_points: Count | None = None
    """Points of one job; unless given, about forty jobs share all points."""

    def spec(self) -> dict[str, Any]:
        """The options of a point."""
        options = super().spec()
        options.pop("shard_points", None)
        return options


class Flow(EngineSettings):
    """The flow-level simulator."""

    model: Literal["equal_share", "max_min"] = "equal_share"
    """How flows share a link: equal parts, or max-min fairness."""
    tables: list[Literal["messages", "links"]] = Field(default_factory=list)
    """Large tables to write beside the metrics."""


class Hardware(EngineSettings):
    """The machine itself, measured by C and MPI programs."""

    repetitions: Count = 500
    """Repetitions of one message size, at most."""
    min_repetitions: Count = 10
    """Repetitions of one message size, though the budget is spent."""
    warmup: Annotated[int, Field(ge=0)] = 20
    """Repetitions that are not kept."""
    budget: Annotated[Time, SpecName("budget_s")] = 1.0
    """Time for the repetitions of one message size; 1 s unless given."""


ENGINES: dict[str, type[EngineSettings]] = {"flow": Flow, "hardware": Hardware}
#: Workload kinds that an engine answers.
ANSWERS: dict[str, frozenset[str]] = {
    "flow": frozenset({"messages", "traffic", "program"}),
    "hardware": frozenset({"program"}),
}
#: Engines for which the simulated topology and network mean nothing.
MEASURING = frozenset({"hardware"})

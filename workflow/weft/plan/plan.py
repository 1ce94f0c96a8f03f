"""The plan of an experiment: its points, its shards, and what its page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from weft.machine import MachineFile
from weft.plan.model import Shard

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from weft.plan.points import Points
    from weft.plan.report import PlannedReport


@dataclass(frozen=True)
class Plan:
    """Everything one experiment will run, and what its report shows, as JSON holds it."""

    experiment: str
    title: str
    question: str
    points: Points
    shards: tuple[Shard, ...]
    machine: MachineFile = field(default_factory=MachineFile)
    stored_report: Mapping[str, object] = field(default_factory=dict)
    overrides: tuple[str, ...] = ()

    @cached_property
    def report(self) -> PlannedReport:
        """What the page shows.

        Raises ValueError when no page can be made of what is stored.
        """
        # On first use: who collects or counts points needs none of the models behind it.
        from weft.plan.report import PlannedReport

        return PlannedReport.read(self.stored_report, self.experiment)

    def placed(self) -> Iterator[tuple[Shard, NDArray[np.int64]]]:
        """Every shard with the places of its points, those no longer planned left out."""
        return self.points.of_shards(self.shards)

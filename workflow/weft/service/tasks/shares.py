"""What each engine of an experiment has to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from weft.plan.costs import Costs
from weft.plan.points import Points


@dataclass(frozen=True, slots=True)
class Share:
    """The points of one engine, and the processor seconds of those whose cost is known."""

    engine: str
    points: int
    known: int
    seconds: float

    @property
    def whole_seconds(self) -> float | None:
        """Processor seconds of all points: those that are not known take the mean of the others."""
        return self.seconds * self.points / self.known if self.known else None


def shares_of(points: Points, costs: Costs) -> Iterator[Share]:
    """The engines in order, each with its points and what they cost."""
    seconds = costs.of(points).seconds
    for engine in points.engines:
        own = seconds[points.codes("engine") == points.number("engine", engine)]
        known = own[~np.isnan(own)]
        yield Share(engine, len(own), len(known), float(known.sum()))

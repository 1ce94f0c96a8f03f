"""Values of series: what lines, bars, tables and ratios show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The kind of values of ours; others are `published`, `derived` or `measured` elsewhere.
ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class SeriesValue:
    """One value of a series at one place of the x axis, in stored units."""

    series: str
    kind: str
    x: str | float
    y: float
    panel: object = None
    """The value of the figure's `row`; None without one."""
    low: float | None = None
    high: float | None = None
    n: int | None = None
    """How many values it is the mean of."""
    replicates: Sequence[float] = ()
    """These values, where there are few enough to be seen."""
    flag: str | None = None
    """Why it is not to be trusted; published values have none."""
    ends: bool | None = None
    """Whether the series goes no further because the network saturates; None in its middle."""
    at: str = ""
    """All settings of a ratio, in words."""

"""From where on a curve reaches a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Side = Literal["least", "most"]


@dataclass(frozen=True, slots=True)
class ReachingFinding:
    """All places from `start` on reach the level; `start` is None if the last one does not.

    `before` is the place before `start`. `reached` holds every place that reaches the level.
    `nearest` and `farthest` are the places whose values lie farthest on and off the wanted side.
    """

    start: float | None
    before: float | None
    reached: tuple[float, ...]
    nearest: float
    farthest: float


def reaching(curve: Mapping[float, float], level: float, side: Side) -> ReachingFinding:
    """Where the values of `curve`, at least one, are at `least` or at `most` as high as `level`."""
    sign = 1 if side == "least" else -1
    places = sorted(curve)
    reached = [x for x in places if sign * (curve[x] - level) >= 0]
    left = [x for x in places if x not in reached]
    later = [x for x in places if not left or x > left[-1]]
    return ReachingFinding(
        start=later[0] if later else None,
        before=left[-1] if later and left else None,
        reached=tuple(reached),
        nearest=max(places, key=lambda x: sign * curve[x]),
        farthest=min(places, key=lambda x: sign * curve[x]),
    )

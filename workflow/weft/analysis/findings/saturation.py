"""Where a curve stops: a network that no longer keeps up, or values that no longer grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weft.analysis.findings.ranking import Better


@dataclass(frozen=True, slots=True)
class SaturationFinding:
    """A curve is saturated from `first` on; `last` is the place before it.

    Without `first` it never is, without `last` it always is. `value` is the level it reaches, of
    a curve that levels off. `left` is the first place behind `first` that is no longer near it.
    """

    last: float | None
    first: float | None
    value: float | None = None
    left: float | None = None


def onset(saturated: Mapping[float, bool]) -> SaturationFinding:
    """Where a network first does not keep up with the load."""
    first = min((x for x, flag in saturated.items() if flag), default=None)
    kept = [x for x in saturated if first is None or x < first]
    return SaturationFinding(max(kept, default=None), first)


def levelling(curve: Mapping[float, float], better: Better, within: float) -> SaturationFinding:
    """From where on values are within a share `within` of the best one, and up to where.

    A curve whose last value alone is that good has not levelled off.
    """
    top = (max if better == "higher" else min)(curve.values())
    good = [x for x, value in curve.items() if abs(value - top) <= within * abs(top)]
    first = min(good)
    before = [x for x in curve if x < first]
    if first == max(curve):
        return SaturationFinding(first, None, top)
    left = min((x for x in curve if x > first and x not in good), default=None)
    return SaturationFinding(max(before, default=None), first, top, left)

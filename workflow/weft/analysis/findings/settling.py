"""From where on the values of a series stay as they are at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettlingFinding:
    """All values from the place `start` on are those of the end; `peak` is the place of the value
    that lies farthest outside of both ends, if one does."""

    start: int
    peak: int | None = None


def settling(values: Sequence[float], within: float) -> SettlingFinding:
    """Where `values`, at least one, settle: all that follow differ from the last one by a share of
    at most `within`. Only the last one does so where they never settle."""
    last = values[-1]
    near = within * abs(last)
    left = [place for place, value in enumerate(values) if abs(value - last) > near]
    low, high = min(values[0], last) - near, max(values[0], last) + near
    beyond = [max(low - value, value - high) for value in values]
    peak = max(range(len(values)), key=beyond.__getitem__)
    return SettlingFinding(left[-1] + 1 if left else 0, peak if beyond[peak] > 0 else None)

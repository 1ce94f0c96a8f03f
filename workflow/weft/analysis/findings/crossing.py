"""Where two curves cross."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from weft.analysis.findings.ranking import Better
from weft.analysis.findings.values import Value, apart, on_common_draws


@dataclass(frozen=True, slots=True)
class CrossoverFinding:
    """`before` is better up to `low`, `after` from `high` on; `at` is where straight lines meet."""

    before: str
    after: str
    low: float
    high: float
    at: float


def crossovers(
    a: tuple[str, Mapping[float, Value]],
    b: tuple[str, Mapping[float, Value]],
    better: Better,
    confidence: float = 0.95,
) -> list[CrossoverFinding]:
    """Every change of the better curve, by the places that both have.

    Places at which the two do not differ decide nothing: the interval of a crossover spans them.
    """
    (a_name, a_curve), (b_name, b_curve) = a, b
    sign = 1 if better == "higher" else -1
    decided = [
        (x, sign * (both[0].mean - both[1].mean))
        for x in sorted(a_curve.keys() & b_curve.keys())
        if (both := on_common_draws([a_curve[x], b_curve[x]]))
        and apart(a_curve[x], b_curve[x], confidence)
    ]
    found = []
    for (low, before), (high, after) in pairwise(decided):
        if (before > 0) != (after > 0):
            at = low + (high - low) * before / (before - after)
            names = (a_name, b_name) if before > 0 else (b_name, a_name)
            found.append(CrossoverFinding(*names, low, high, at))
    return found

"""A mean with its scatter, and whether two of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

#: Means that agree as far as a page shows digits are the same.
_SAME = 5e-4


@dataclass(frozen=True, slots=True)
class Value:
    """A mean, and the `replicates` that it is of, in the order of their seeds.

    A measurement without replicates may have the `middle` half of its repetitions instead. A
    prediction may be off by the share `error` as a whole, such as the residuals of the fit that it
    rests on.
    """

    mean: float
    replicates: tuple[float, ...] = ()
    middle: tuple[float, float] | None = None
    error: float = 0.0

    @classmethod
    def of(cls, replicates: Sequence[float]) -> Value:
        """The mean of `replicates`."""
        return cls(fmean(replicates), tuple(replicates))


def apart(a: Value, b: Value, confidence: float = 0.95, same: float = _SAME) -> bool:
    """Whether two means differ by more than their scatter, and by more than the share `same`.

    Predictions that may be off as a whole differ only if their intervals do not overlap: what both
    may be off is no part of the difference that has to exceed their scatter.

    As many replicates on both sides have the same seeds, so their differences are tested, which
    leaves out what a seed does to both; else Welch's t test holds. Measurements without replicates
    differ where the middle halves of their repetitions do not overlap. A single value of a
    simulator has no scatter.
    """
    gap = abs(a.mean - b.mean)
    if gap <= same * max(abs(a.mean), abs(b.mean)):
        return False
    off = a.error * abs(a.mean), b.error * abs(b.mean)
    gap -= sum(off)
    if gap <= 0:
        return False
    counts = len(a.replicates), len(b.replicates)
    if counts[0] == counts[1] > 1:
        error = _variance(np.subtract(a.replicates, b.replicates, dtype=np.float64)) / counts[0]
        return _beyond(gap, error, counts[0] - 1, confidence)
    errors = [(_variance(v.replicates) / n, n - 1) for v, n in zip((a, b), counts, strict=True)
              if n > 1]  # fmt: skip
    if total := sum(error for error, _ in errors):
        freedom = total**2 / sum(error**2 / degrees for error, degrees in errors)
        return _beyond(gap, total, freedom, confidence)
    if a.middle and b.middle:
        between = max(b.middle[0] - a.middle[1], a.middle[0] - b.middle[1])
        return between > sum(off)
    return True


def _beyond(gap: float, error: float, freedom: float, confidence: float) -> bool:
    return bool(gap > stdtrit(freedom, (1 + confidence) / 2) * error**0.5)


def _variance(values: Sequence[float] | npt.NDArray[np.float64]) -> float:
    # `statistics` adds fractions, which takes seconds for thousands of replicates.
    return float(np.var(values, ddof=1))

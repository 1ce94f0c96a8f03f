"""A mean with its scatter, what several have in common, and whether two of them differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np
import numpy.typing as npt

from weft.analysis.student import quantile

#: Means that agree as far as a page shows digits are the same.
_SAME = 5e-4


@dataclass(frozen=True, slots=True)
class Value:
    """A mean, and the `replicates` that it is of, each with what was drawn for it: its seed.

    Without `draws` the first ones of two values have the same seed, and so on. `repeats` of a
    machine are another number of tries at one value than a prediction has: no seed joins them with
    those of the prediction. A measurement without replicates may have the `middle` half of its
    repetitions instead. A prediction may be off by the share `error` as a whole, such as the
    residuals of the fit that it rests on.
    """

    mean: float
    replicates: tuple[float, ...] = ()
    middle: tuple[float, float] | None = None
    error: float = 0.0
    draws: tuple[Hashable, ...] = ()
    repeats: bool = False

    @classmethod
    def of(cls, replicates: Sequence[float], draws: Sequence[Hashable] = ()) -> Value:
        """The mean of `replicates`, drawn with `draws`."""
        return cls(fmean(replicates), tuple(replicates), draws=tuple(draws))

    @property
    def by_draw(self) -> dict[Hashable, float]:
        """The replicates by what was drawn for them."""
        return dict(zip(self.draws or range(len(self.replicates)), self.replicates, strict=True))

    @property
    def scatter(self) -> float:
        """The standard deviation of the replicates as a share of their mean, 0 without any."""
        if len(self.replicates) < 2 or not self.mean:
            return 0.0
        deviation: float = _variance(self.replicates) ** 0.5
        return deviation / abs(self.mean)

    def only(self, draws: Sequence[Hashable]) -> Value:
        """The mean of the replicates with these draws alone, at least one."""
        if len(draws) == len(self.replicates):
            return self
        found = self.by_draw
        kept = tuple(found[each] for each in draws)
        return replace(self, mean=fmean(kept), replicates=kept, draws=tuple(draws))


def on_common_draws(values: Sequence[Value]) -> list[Value]:
    """`values` as means of the draws that all of them have; nothing where they share none.

    A seed may do the same to all of them, so a mean that lacks one is no match for the others.
    Values without replicates, and repeats of a machine beside predictions, stay whole.
    """
    kept: dict[bool, list[Hashable]] = {}
    for value in values:
        if value.replicates:
            mine = value.by_draw
            known = kept.setdefault(value.repeats, list(mine))
            kept[value.repeats] = [each for each in known if each in mine]
    if not all(kept.values()):
        return []
    return [v.only(kept[v.repeats]) if v.replicates else v for v in values]


def apart(a: Value, b: Value, confidence: float = 0.95, same: float = _SAME) -> bool:
    """Whether two means differ by more than their scatter, and by more than the share `same`.

    Predictions that may be off as a whole differ only if their intervals do not overlap: what both
    may be off is no part of the difference that has to exceed their scatter.

    Where both have several draws in common, the differences of these are tested, which leaves out
    what a seed does to both; else Welch's t test holds. Measurements without replicates
    differ where the middle halves of their repetitions do not overlap. A single value of a
    simulator has no scatter.
    """
    if paired := _paired(a, b):
        a, b = paired
    gap = abs(a.mean - b.mean)
    if gap <= same * max(abs(a.mean), abs(b.mean)):
        return False
    off = a.error * abs(a.mean), b.error * abs(b.mean)
    gap -= sum(off)
    if gap <= 0:
        return False
    counts = len(a.replicates), len(b.replicates)
    if paired:
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


def _paired(a: Value, b: Value) -> list[Value]:
    """Both on their common draws, where these are several."""
    if not (a.replicates and b.replicates and a.repeats == b.repeats):
        return []
    return [v for v in on_common_draws([a, b]) if len(v.replicates) > 1]


def _beyond(gap: float, error: float, freedom: float, confidence: float) -> bool:
    return bool(gap > quantile(freedom, (1 + confidence) / 2) * error**0.5)


def _variance(values: Sequence[float] | npt.NDArray[np.float64]) -> float:
    # `statistics` adds fractions, which takes seconds for thousands of replicates.
    return float(np.var(values, ddof=1))

"""Where a measured curve changes its line: change points with outliers, chosen by BIC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from weft.analysis.hockney import Numbers

#: Fewest distinct sizes that agree on the line of a piece: two always do, so they prove nothing.
FEWEST = 3
#: A time is an outlier where its relative residual is larger than this many deviations.
FAR = 3.0
#: The least relative deviation: what lies nearer is no reason for another piece.
LEAST_DEVIATION = 0.01
#: The deviation of normal numbers by their median distance.
NORMAL = 1.4826
#: Sizes in a window whose line tells the noise from the curve.
WINDOW = 5


@dataclass(frozen=True, slots=True)
class Segment:
    """A line through sizes `first` to `last`: places in the sorted sizes, both included.

    `time_s` is that of the size at `first`; `residuals` are (line - time) / time of the
    observations.
    """

    first: int
    last: int
    time_s: float
    byte_time_s: float
    residuals: Numbers
    cost: float


class ObservedTimes:
    """Times by size, sorted, with the relative deviation of one observation.

    A clock with steps of `resolution_s` adds to the deviation of short times: `tolerances` hold
    both.
    """

    def __init__(
        self,
        message_bytes: Sequence[float],
        times_s: Sequence[float],
        resolution_s: float = 0.0,
    ) -> None:
        x, y = np.asarray(message_bytes, np.float64), np.asarray(times_s, np.float64)
        order = np.argsort(x, kind="stable")
        self.bytes, self.times = x[order], y[order]
        self.sizes, starts = np.unique(self.bytes, return_index=True)
        self.starts = np.append(starts, x.size)
        self._steps = resolution_s / self.times
        self.deviation = self._deviation()
        self.tolerances = np.hypot(self.deviation, self._steps)

    def line(self, first: int, last: int) -> Segment:
        """The line through these sizes that most of them agree on."""
        chosen = slice(int(self.starts[first]), int(self.starts[last + 1]))
        x, y = self.bytes[chosen] - self.sizes[first], self.times[chosen]
        near = self.tolerances[chosen]
        time, byte_time, residuals = _robust_line(x, y, near)
        return Segment(first, last, time, byte_time, residuals, self._cost(x, residuals / near))

    def _cost(self, x: Numbers, residuals: Numbers) -> float:
        scaled = np.abs(residuals)
        if np.unique(x[scaled <= FAR]).size < FEWEST:
            return float("inf")
        return float(np.sum(np.minimum(scaled, FAR) ** 2))

    def _deviation(self) -> float:
        """From lines through few neighbours, of which most have no change point among them."""
        count = self.sizes.size
        width = min(WINDOW, count)
        found = []
        for first in range(count - width + 1):
            chosen = slice(int(self.starts[first]), int(self.starts[first + width]))
            x, y = self.bytes[chosen] - self.sizes[first], self.times[chosen]
            steps = self._steps[chosen]
            _, _, residuals = _robust_line(x, y, np.hypot(LEAST_DEVIATION, steps))
            residuals = np.maximum(np.abs(residuals) - steps, 0)
            found.append(residuals * np.sqrt(residuals.size / max(residuals.size - 2, 1)))
        return max(NORMAL * float(np.median(np.concatenate(found))), LEAST_DEVIATION)


def segmented(observed: ObservedTimes) -> list[Segment]:
    """The lines of the pieces with the least BIC: 3 numbers for each piece, its line and its begin.

    Optimal partitioning (Jackson et al. 2005) with the biweight loss of Fearnhead and Rigaill
    (2019), so that an outlier costs less than a piece of its own. Where no piece has enough sizes
    that agree, the whole is one line.
    """
    count = int(observed.sizes.size)
    penalty = 3 * float(np.log(observed.times.size))
    best = [0.0] + [float("inf")] * count
    chosen: list[Segment | None] = [None] * (count + 1)
    for end in range(FEWEST, count + 1):
        for first in range(end - FEWEST + 1):
            if best[first] == float("inf"):
                continue
            segment = observed.line(first, end - 1)
            total = best[first] + segment.cost + penalty
            if total < best[end]:
                best[end], chosen[end] = total, segment
    found: list[Segment] = []
    end = count
    while end > 0:
        segment = chosen[end] or observed.line(0, end - 1)
        found.append(segment)
        end = segment.first
    return found[::-1]


def _robust_line(x: Numbers, y: Numbers, near: Numbers) -> tuple[float, float, Numbers]:
    """Time at 0 and for each unit of `x`, both at least 0, and the relative residuals. Those within
    `near` are no reason to move the line.

    By least absolute relative residuals first, then by least squares of those that are no outliers.
    """
    weights = np.ones_like(y)
    time, slope, residuals = _line(x, y, weights)
    for _ in range(6):
        weights = 1 / np.maximum(np.abs(residuals), near / 2)
        time, slope, residuals = _line(x, y, weights)
    inside = np.zeros(y.size, bool)
    for _ in range(10):
        before, inside = inside, np.abs(residuals) <= FAR * near
        if inside.sum() < 2 or np.array_equal(before, inside):
            break
        time, slope, residuals = _line(x, y, inside.astype(np.float64))
    return time, slope, residuals


def _line(x: Numbers, y: Numbers, weights: Numbers) -> tuple[float, float, Numbers]:
    w = weights / y**2
    total, mean_x, mean_y = w.sum(), np.dot(w, x), np.dot(w, y)
    mean_x, mean_y = mean_x / total, mean_y / total
    spread = float(np.dot(w, (x - mean_x) ** 2))
    slope = float(np.dot(w, (x - mean_x) * (y - mean_y))) / spread if spread > 0 else 0.0
    slope = max(slope, 0.0)
    time = float(mean_y - slope * mean_x)
    if time < 0:
        time, slope = 0.0, float(np.dot(w, x * y) / np.dot(w, x * x))
    return time, slope, (time + slope * x) / y - 1

"""Where a measured curve changes its line: change points with outliers, chosen by BIC."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weft.analysis.numbers import Numbers

#: Whole numbers by size or observation.
Places = NDArray[np.intp]

#: Fewest distinct sizes that agree on the line of a piece: two always do, so they prove nothing.
FEWEST = 3
#: A time is an outlier where its relative residual is larger than this many deviations.
FAR = 3.0
#: The least relative deviation: smaller distances do not justify another piece.
LEAST_DEVIATION = 0.01
#: The deviation of normal numbers by their median distance.
NORMAL = 1.4826
#: Neighbouring sizes in a window: the distances from their line estimate the noise.
WINDOW = 5
#: Neighbouring sizes that a line leaves out on one side of it are no outliers: they are a piece of
#: their own. A disturbance only makes times longer, so that fewer are needed below a line.
RUN_ABOVE, RUN_BELOW = 3, 2
#: The largest size of the last piece by its smallest, at least.
WIDE = 1.2
#: Sizes count for such a run if they are farther from the line than this, too.
APART = 0.25


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
        return Segment(first, last, time, byte_time, residuals, _cost(x, residuals, near))

    def resized(self, own: Segment, first: int, last: int) -> Segment:
        """The line through other sizes than those of `own`; that of `own` where they agree on none,
        as outliers at an end may cause."""
        fitted = self.line(first, last)
        time = own.time_s + float(self.sizes[first] - self.sizes[own.first]) * own.byte_time_s
        if np.isfinite(fitted.cost) or time <= 0:
            return fitted
        chosen = slice(int(self.starts[first]), int(self.starts[last + 1]))
        x, y = self.bytes[chosen] - self.sizes[first], self.times[chosen]
        residuals = (time + own.byte_time_s * x) / y - 1
        cost = _cost(x, residuals, self.tolerances[chosen])
        return Segment(first, last, time, own.byte_time_s, residuals, cost)

    def nothing(self) -> Segment | None:
        """The median time of 0 bytes as a piece of its own; None where 0 B was not measured."""
        if self.sizes[0] > 0:
            return None
        y = self.times[: int(self.starts[1])]
        time = float(np.median(y))
        residuals = time / y - 1
        near = np.minimum(np.abs(residuals) / self.tolerances[: y.size], FAR)
        return Segment(0, 0, time, 0.0, residuals, float(np.sum(near**2)))

    def is_below(self, nothing: Segment, line: Segment) -> bool:
        """Whether 0 bytes take so much less than `line`, of the sizes behind, that they are not on
        it. A time above a line may be a disturbance."""
        begin = line.time_s - float(self.sizes[line.first]) * line.byte_time_s
        far = FAR * float(np.median(self.tolerances[: nothing.residuals.size]))
        return nothing.time_s * (1 + far) < begin

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

    That loss alone would leave out a whole piece that is as long as the others, since no error of a
    size costs more than another. So a run of sizes on one side of a line costs its whole error. The
    last piece may then have two sizes, which nothing confirms. It has to be wide, because it holds
    for all larger messages, too: close sizes, as a search for a jump finds them, give no slope.

    0 bytes are a case apart, since there is nothing to copy: they may be a piece of one number.
    """
    sizes = observed.sizes
    count = int(sizes.size)
    penalty = 3 * float(np.log(observed.times.size))
    best = [0.0] + [float("inf")] * count
    chosen: list[Segment | None] = [None] * (count + 1)
    nothing = observed.nothing() if count > FEWEST else None
    if nothing:
        best[1], chosen[1] = nothing.cost + penalty / 3, nothing
    for end in range(FEWEST, count + 1):
        fewest = FEWEST if end < count else FEWEST - 1
        for first in range(end - fewest + 1):
            if best[first] == float("inf"):
                continue
            segment = observed.line(first, end - 1)
            if first == 1 and nothing and not observed.is_below(nothing, segment):
                continue
            if end == count and first > 0 and sizes[-1] < WIDE * sizes[first]:
                continue
            total = best[first] + segment.cost + penalty
            if total < best[end]:
                best[end], chosen[end] = total, segment
    found: list[Segment] = []
    end = count
    while end > 0:
        segment = chosen[end] or observed.line(0, end - 1)
        found.append(segment)
        end = segment.first
    return _with_edges(observed, found[::-1])


def _with_edges(observed: ObservedTimes, segments: list[Segment]) -> list[Segment]:
    """Segments whose outliers at an end go to the neighbour, if its line is nearer to them: as
    outliers they cost the same on either side."""
    found = list(segments)
    for right in range(1, len(found)):
        left = right - 1
        begin = found[right].first
        if found[left].last == 0:
            continue  # 0 bytes alone
        while begin - 1 > found[left].first and _is_nearer(
            observed, begin - 1, found[left], found[right]
        ):
            begin -= 1
        while begin < found[right].last and _is_nearer(observed, begin, found[right], found[left]):
            begin += 1
        if begin != found[right].first:
            found[left] = observed.resized(found[left], found[left].first, begin - 1)
            found[right] = observed.resized(found[right], begin, found[right].last)
    return found


def _is_nearer(observed: ObservedTimes, place: int, own: Segment, other: Segment) -> bool:
    """Whether the times of this size are far from the line of `own`, and nearer to `other`'s."""
    chosen = slice(int(observed.starts[place]), int(observed.starts[place + 1]))
    time = float(np.median(observed.times[chosen]))
    size = float(observed.sizes[place])
    far = FAR * float(np.median(observed.tolerances[chosen]))
    ratios = [
        (each.time_s + (size - float(observed.sizes[each.first])) * each.byte_time_s) / time
        for each in (own, other)
    ]
    is_far = abs(ratios[0] - 1) > max(far, APART)
    # A line may be below nothing in front of its first size.
    return is_far and ratios[1] > 0 and abs(np.log(ratios[1])) < abs(np.log(ratios[0]))


def _cost(x: Numbers, residuals: Numbers, near: Numbers) -> float:
    """Of the residuals (line - time) / time of observations by size: FAR at most for each, but all
    of those in a run of sizes that are no outliers."""
    scaled = np.abs(residuals) / near
    limited = np.minimum(scaled, FAR)
    sizes, place = np.unique(x, return_inverse=True)
    if sizes.size < FEWEST:
        return float(scaled.size * FAR**2)
    if np.unique(x[scaled <= FAR]).size < FEWEST:
        return float("inf")
    in_run = _in_runs(_sides(residuals, scaled, place, sizes.size))[place]
    return float(np.sum(np.where(in_run, scaled, limited) ** 2))


def _sides(residuals: Numbers, scaled: Numbers, place: Places, count: int) -> Places:
    """By size: 1 if most of its times lie far above the line, -1 if far below, else 0."""
    ratio = residuals + 1
    above = (scaled > FAR) & (ratio < 1 / (1 + APART))
    below = (scaled > FAR) & (ratio > 1 + APART)
    half = np.bincount(place, minlength=count) / 2
    is_above = np.bincount(place, above, count) > half
    is_below = np.bincount(place, below, count) > half
    return is_above.astype(np.intp) - is_below.astype(np.intp)


def _in_runs(sides: Places) -> NDArray[np.bool_]:
    """Which sizes have so many neighbours on their side of the line that they are no outliers."""
    found = np.zeros(sides.size, bool)
    ends = np.append(np.flatnonzero(np.diff(sides)) + 1, sides.size)
    first = 0
    for end in ends:
        side = sides[first]
        if side and end - first >= (RUN_ABOVE if side > 0 else RUN_BELOW):
            found[first:end] = True
        first = int(end)
    return found


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

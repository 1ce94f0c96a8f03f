"""A curve of straight pieces through measured times by size, and how far to trust it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from weft.analysis.numbers import Numbers
from weft.analysis.segments import FAR, FEWEST, ObservedTimes, Segment, segmented

#: A curve is good where sizes that it has not seen are this near to it: half of them, and all.
GOOD_MEDIAN, GOOD_WORST = 0.05, 0.15
#: A jump is a change from one size to the next by at least this factor less 1.
LEAST_JUMP = 0.1


class TooFewSizesError(ValueError):
    """There are not enough sizes for any curve."""


@dataclass(frozen=True, slots=True)
class CurvePiece:
    """A line from `from_bytes` on. The errors are standard errors of the line."""

    from_bytes: int
    time_s: float
    byte_time_s: float
    time_error_s: float
    byte_time_error_s: float

    def seconds(self, message_bytes: float) -> float:
        """What the line says a message takes."""
        return self.time_s + (message_bytes - self.from_bytes) * self.byte_time_s


@dataclass(frozen=True, slots=True)
class FittedCurve:
    """Pieces by size, with what they were fitted to.

    `message_bytes` and `times_s` are the distinct sizes and the median time of each; `residuals`
    are (curve - time) / time of these. `jumps_bytes` are the sizes behind which the time changes at
    once, upwards or downwards; `outliers_bytes` sizes that a time disturbs, which the fit leaves
    out. `scatter` is the median relative distance of repeated times from their median; None without
    repetitions. The `unseen` errors are those of each size under the fit without it.
    """

    pieces: tuple[CurvePiece, ...]
    jumps_bytes: tuple[int, ...]
    outliers_bytes: tuple[int, ...]
    message_bytes: tuple[int, ...]
    times_s: tuple[float, ...]
    residuals: tuple[float, ...]
    median_residual: float
    worst_residual: float
    unseen_median: float | None
    unseen_worst: float | None
    scatter: float | None
    confidence: Literal["good", "rough"]

    def seconds(self, message_bytes: float) -> float:
        """What the curve says a message takes."""
        return seconds(self.pieces, message_bytes)


def seconds(pieces: Sequence[CurvePiece], message_bytes: float) -> float:
    """The time of a message by the piece that its size falls into."""
    chosen = [piece for piece in pieces if piece.from_bytes <= message_bytes] or pieces[:1]
    return chosen[-1].seconds(message_bytes)


def fit_curve(
    message_bytes: Sequence[int], times_s: Sequence[float], resolution_s: float = 0.0
) -> FittedCurve:
    """Fit pieces to times, of which there may be several for each size, by a clock with steps.

    Raises TooFewSizesError where there are fewer sizes than a piece needs, ValueError for numbers
    that are no times.
    """
    sizes, times = np.asarray(message_bytes, np.float64), np.asarray(times_s, np.float64)
    if sizes.shape != times.shape or not (np.isfinite(times).all() and (times > 0).all()):
        raise ValueError("a curve needs one finite time above 0 for each size")
    distinct = int(np.unique(sizes).size)
    if distinct < FEWEST:
        raise TooFewSizesError(
            f"a curve needs times of at least {FEWEST} message sizes, and there are {distinct}"
        )
    observed = ObservedTimes(sizes.tolist(), times.tolist(), resolution_s)
    segments = segmented(observed)
    pieces, jumps = _joined(observed, segments)
    medians = _medians(observed)
    curve = np.array([seconds(pieces, size) for size in observed.sizes])
    residuals = curve / medians - 1
    far = np.abs(residuals) > FAR * np.hypot(observed.deviation, resolution_s / medians)
    unseen = _unseen(observed, segments, medians, resolution_s)
    counted = np.abs(residuals[~far]) if (~far).any() else np.abs(residuals)
    inside = [error for error, is_far in zip(unseen, far, strict=True) if error is not None]
    kept = [e for e, is_far in zip(unseen, far, strict=True) if e is not None and not is_far]
    median = float(np.median(inside)) if inside else None
    worst = float(np.max(kept)) if kept else None
    is_good = median is not None and worst is not None and worst <= GOOD_WORST
    return FittedCurve(
        pieces=pieces,
        jumps_bytes=jumps,
        outliers_bytes=tuple(int(size) for size in observed.sizes[far]),
        message_bytes=tuple(int(size) for size in observed.sizes),
        times_s=tuple(float(time) for time in medians),
        residuals=tuple(float(each) for each in residuals),
        median_residual=float(np.median(np.abs(residuals))),
        worst_residual=float(np.max(counted)),
        unseen_median=median,
        unseen_worst=worst,
        scatter=_scatter(observed, medians),
        confidence="good" if is_good and (median or 0) <= GOOD_MEDIAN else "rough",
    )


def _joined(
    observed: ObservedTimes, segments: Sequence[Segment]
) -> tuple[tuple[CurvePiece, ...], tuple[int, ...]]:
    """The segments as pieces from 0 on. Where two lines cross between their sizes, they meet there;
    elsewhere the time jumps right behind the last size of the first: libraries change their
    protocol behind a power of two, and such sizes are measured."""
    pieces: list[CurvePiece] = []
    jumps: list[int] = []
    for segment in segments:
        piece = _piece(observed, segment)
        if not pieces:
            at = 0
        else:
            below = int(observed.sizes[segment.first - 1])
            at = _crossing(pieces[-1], piece, below) or below + 1
            before = pieces[-1].seconds(at)
            if abs(_at_least(piece, at) / before - 1) > LEAST_JUMP and at == below + 1:
                jumps.append(below)
        time = _at_least(piece, at)
        # A line that would be below nothing where it begins, begins with its own first size.
        if time <= 0 and pieces:
            at, time = piece.from_bytes, piece.time_s
        pieces.append(
            CurvePiece(at, time, piece.byte_time_s, piece.time_error_s, piece.byte_time_error_s)
        )
    return tuple(pieces), tuple(jumps)


def _at_least(piece: CurvePiece, at: int) -> float:
    return max(piece.seconds(at), 0.0)


def _crossing(left: CurvePiece, right: CurvePiece, below: int) -> int | None:
    """The first size behind `below`, up to the first of `right`, where the lines cross."""
    slope = left.byte_time_s - right.byte_time_s
    if slope == 0:
        return None
    at = (right.seconds(0) - left.seconds(0)) / slope
    return int(np.ceil(at)) if below < at <= right.from_bytes else None


def _piece(observed: ObservedTimes, segment: Segment) -> CurvePiece:
    """With standard errors from the residuals of the observations that agree."""
    chosen = slice(int(observed.starts[segment.first]), int(observed.starts[segment.last + 1]))
    begin = observed.sizes[segment.first]
    x, y = observed.bytes[chosen] - begin, observed.times[chosen]
    near = np.abs(segment.residuals) <= FAR * observed.tolerances[chosen]
    matrix = np.column_stack((1 / y, x / y))[near]
    degrees = max(int(near.sum()) - 2, 1)
    variance = float(np.sum(segment.residuals[near] ** 2)) / degrees
    inverse = np.linalg.pinv(matrix.T @ matrix)
    time_error, byte_error = np.sqrt(np.maximum(np.diag(inverse) * variance, 0))
    return CurvePiece(
        int(begin), segment.time_s, segment.byte_time_s, float(time_error), float(byte_error)
    )


def _medians(observed: ObservedTimes) -> Numbers:
    parts = np.split(observed.times, observed.starts[1:-1])
    return np.array([float(np.median(part)) for part in parts])


def _scatter(observed: ObservedTimes, medians: Numbers) -> float | None:
    counts = np.diff(observed.starts)
    if (counts < 2).all():
        return None
    each = np.repeat(medians, counts)
    return float(np.median(np.abs(observed.times / each - 1)[np.repeat(counts > 1, counts)]))


def _unseen(
    observed: ObservedTimes, segments: Sequence[Segment], medians: Numbers, resolution_s: float
) -> list[float | None]:
    """How far each size is from the line of its piece fitted without it; None where the piece has
    too few others."""
    found: list[float | None] = []
    for segment in segments:
        for place in range(segment.first, segment.last + 1):
            others = np.array([i for i in range(segment.first, segment.last + 1) if i != place])
            if others.size < 2:
                found.append(None)
                continue
            kept = observed.sizes[others].tolist(), medians[others].tolist()
            rest = ObservedTimes(*kept, resolution_s)
            line = rest.line(0, others.size - 1)
            at = observed.sizes[place] - observed.sizes[others[0]]
            predicted = line.time_s + line.byte_time_s * at
            found.append(abs(float(predicted / medians[place]) - 1))
    return found

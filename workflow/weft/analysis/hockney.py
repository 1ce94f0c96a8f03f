"""Hockney's line through a measured ping-pong, and how far to trust it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import isotonic_regression, least_squares, lsq_linear
from scipy.stats import kendalltau

from weft.analysis.numbers import Numbers

#: Beyond this root mean square of the residuals a few sizes were disturbed, and least squares
#: follows them instead of the rest.
DISTURBED_RMS = 0.5
#: A line is a rough one where the root mean square of its residuals is larger: the distance from
#: which on one size makes a curve rough, too.
ROUGH_RMS = 0.15
#: It is also a rough one where some size is farther than this factor from it, of however many.
ROUGH_RATIO = 4.0
#: The robust fit counts a size that is farther than this factor (a logarithm) from the line less.
FAR = 0.2
#: The share of the time of the largest message below which bytes cost nothing.
NOTHING = 1e-6
#: Fewer sizes than this say nothing about how sure a line is.
FEWEST_TO_JUDGE = 4


class NoLineError(ValueError):
    """The times are sound numbers, but no line follows from them."""


@dataclass(frozen=True, slots=True)
class Hockney:
    """Hockney's line `time = latency + bytes / bandwidth`, and how well it fits.

    `relative_residual_rms` is the root mean square of (line - measured) / measured; `worst_ratio`
    is the largest factor, at least 1, between the line and a measured time. `method` is how it was
    fitted; `confidence` is `good` where the sizes lie near the line, else `rough`. The ends of the
    ranges are the least and the largest value that a fit without one of the sizes gives; None where
    there are too few sizes to leave one out.
    """

    latency_s: float
    bandwidth_bytes_per_s: float
    relative_residual_rms: float
    worst_ratio: float
    fitted_points: int
    method: Literal["least squares", "monotone and robust"] = "least squares"
    confidence: Literal["good", "rough"] = "good"
    latency_low_s: float | None = None
    latency_high_s: float | None = None
    bandwidth_low_bytes_per_s: float | None = None
    bandwidth_high_bytes_per_s: float | None = None

    def time_s(self, message_bytes: float) -> float:
        """What the line says a message takes."""
        return self.latency_s + message_bytes / self.bandwidth_bytes_per_s


def fit_pingpong(message_bytes: Sequence[int], times_s: Sequence[float]) -> Hockney:
    """Fit Hockney's line to one time for each size.

    By least squares of the relative residuals, because times span decades and every size shall
    count the same; latency and the time per byte are kept at 0 or above. Where that leaves large
    residuals or no slope, disturbed sizes are to blame: a message never gets faster by growing, so
    the times are made monotone, and a robust loss lets the sizes that agree decide. Raises
    NoLineError for times that do not grow with the size, ValueError for numbers that are no times.
    """
    sizes = np.asarray(message_bytes, dtype=np.float64)
    times = np.asarray(times_s, dtype=np.float64)
    _check(sizes, times)
    latency, per_byte, is_robust = _line(sizes, times)
    lows, highs = _ranges(sizes, times)
    ratios = (latency + per_byte * sizes) / times
    rms, worst = float(np.sqrt(np.mean((ratios - 1) ** 2))), _worst(ratios)
    return Hockney(
        latency_s=latency,
        bandwidth_bytes_per_s=1 / per_byte,
        relative_residual_rms=rms,
        worst_ratio=worst,
        fitted_points=int(times.size),
        method="monotone and robust" if is_robust else "least squares",
        confidence="rough" if is_robust or rms > ROUGH_RMS or worst > ROUGH_RATIO else "good",
        latency_low_s=lows[0] if lows else None,
        latency_high_s=highs[0] if highs else None,
        bandwidth_low_bytes_per_s=1 / highs[1] if highs else None,
        bandwidth_high_bytes_per_s=1 / lows[1] if lows else None,
    )


def _line(sizes: Numbers, times: Numbers) -> tuple[float, float, bool]:
    """Latency, time per byte, and whether the robust fit was needed."""
    latency, per_byte = _least_squares(sizes, times)
    ratios = (latency + per_byte * sizes) / times
    rms = float(np.sqrt(np.mean((ratios - 1) ** 2)))
    if _has_slope(per_byte, sizes, times) and rms <= DISTURBED_RMS:
        return latency, per_byte, False
    if not float(kendalltau(sizes, times).statistic) > 0:
        raise NoLineError("the times do not grow with the message size, which gives no bandwidth")
    latency, per_byte = _robust(sizes, times)
    if not _has_slope(per_byte, sizes, times):
        raise NoLineError("the times do not grow with the message size, which gives no bandwidth")
    return latency, per_byte, True


def _has_slope(per_byte: float, sizes: Numbers, times: Numbers) -> bool:
    return per_byte * float(sizes.max()) >= NOTHING * float(times.max())


def _least_squares(sizes: Numbers, times: Numbers) -> tuple[float, float]:
    weighted = np.column_stack((1 / times, sizes / times))
    scale = weighted.max(axis=0)
    found = lsq_linear(weighted / scale, np.ones_like(times), bounds=(0, np.inf), method="bvls")
    latency, per_byte = (float(value) for value in found.x / scale)
    return latency, per_byte


def _robust(sizes: Numbers, times: Numbers) -> tuple[float, float]:
    """Monotone times, quick ones weighing more: others only ever add to a time."""
    order = np.argsort(sizes, kind="stable")
    x, y = sizes[order], times[order]
    monotone = isotonic_regression(y, weights=1 / y**2).x
    start = np.array([monotone[0], max(monotone[-1] - monotone[0], monotone[-1] / 2) / x[-1]])

    def residuals(factors: Numbers) -> Numbers:
        line: Numbers = np.log((factors[0] * start[0] + factors[1] * start[1] * x) / monotone)
        return line

    found = least_squares(residuals, [1.0, 1.0], bounds=(1e-9, np.inf), loss="cauchy", f_scale=FAR)
    latency, per_byte = (float(value) for value in found.x * start)
    return latency, per_byte


def _ranges(
    sizes: Numbers, times: Numbers
) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """The least and the largest latency and time per byte of the fits that lack one size."""
    if np.unique(sizes).size < FEWEST_TO_JUDGE:
        return None, None
    found = []
    for left_out in range(sizes.size):
        try:
            rest = np.delete(sizes, left_out), np.delete(times, left_out)
            latency, per_byte, _ = _line(*rest)
        except NoLineError:
            continue
        found.append((latency, per_byte))
    if not found:
        return None, None
    latencies, per_bytes = zip(*found, strict=True)
    return (min(latencies), min(per_bytes)), (max(latencies), max(per_bytes))


def _worst(ratios: Numbers) -> float:
    with np.errstate(divide="ignore"):
        return float(np.max(np.maximum(ratios, 1 / ratios)))


def _check(sizes: Numbers, times: Numbers) -> None:
    if sizes.shape != times.shape or sizes.ndim != 1:
        raise ValueError(f"there are {sizes.size} message sizes, but {times.size} times")
    if not (np.isfinite(times).all() and (times > 0).all()):
        raise ValueError("a fit needs times that are finite and above 0")
    if not (np.isfinite(sizes).all() and (sizes >= 0).all()):
        raise ValueError("a fit needs message sizes that are finite and not negative")
    if np.unique(sizes).size < 2:
        raise NoLineError("a line needs times of at least two message sizes")

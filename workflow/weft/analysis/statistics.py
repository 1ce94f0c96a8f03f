"""Summaries of repeated measurements.

They follow T. Hoefler and R. Belli, "Scientific benchmarking of parallel computing systems:
twelve ways to tell the masses when reporting performance results", SC'15: times are not normally
distributed (rule 6), so rank statistics describe them, and an interval says how far the median
can be trusted (rule 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

#: Share of the values that `summarise` cuts off at either end for the trimmed mean.
TRIM = 0.1


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval; an end is NaN where there are too few values to give one."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SampleSummary:
    """One sample of times in a few numbers."""

    count: int
    minimum: float
    p05: float
    p25: float
    median: float
    p75: float
    p95: float
    p99: float
    maximum: float
    mean: float
    trimmed_mean: float
    median_interval: Interval


def _checked(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    if array.size == 0:
        raise ValueError("no values to summarise")
    if not np.isfinite(array).all():
        bad = int((~np.isfinite(array)).sum())
        raise ValueError(f"{bad} of {array.size} values are not finite")
    return array


def trimmed_mean(values: Sequence[float], cut: float = TRIM) -> float:
    """Mean of what is left after dropping the share `cut` of the values at either end.

    Raises ValueError when there are no values, one is not finite, or nothing would be left.
    """
    if not 0 <= cut < 0.5:
        raise ValueError(f"cannot cut {cut:g} of the values at either end; at least 0, below 0.5")
    return float(stats.trim_mean(_checked(values), cut))


def median_interval(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """Distribution-free confidence interval of the median, from ranks (the binomial test).

    Hoefler and Belli, section 3.1.3. Raises ValueError for no or non-finite values.
    """
    result: Any = stats.quantile_test(_checked(values), p=0.5)
    interval = result.confidence_interval(confidence_level=confidence)
    return Interval(float(interval.low), float(interval.high))


def summarise(values: Sequence[float]) -> SampleSummary:
    """Describe one sample of times.

    Raises ValueError for no or non-finite values.
    """
    array = _checked(values)
    p05, p25, middle, p75, p95, p99 = np.quantile(array, [0.05, 0.25, 0.5, 0.75, 0.95, 0.99])
    return SampleSummary(
        count=array.size,
        minimum=float(array.min()),
        p05=float(p05),
        p25=float(p25),
        median=float(middle),
        p75=float(p75),
        p95=float(p95),
        p99=float(p99),
        maximum=float(array.max()),
        mean=float(array.mean()),
        trimmed_mean=trimmed_mean(values),
        median_interval=median_interval(values),
    )

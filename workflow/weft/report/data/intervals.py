"""Confidence intervals of means over replicates."""

from __future__ import annotations

from weft.analysis.student import quantile
from weft.report.data.source import Study


def interval(
    mean: float, sd: float | None, n: int, level: float = 0.95
) -> tuple[float | None, float | None]:
    """Confidence interval of a mean (Student's t); none without spread, or of fewer than three
    values: that of two is thirteen times as wide as they are apart."""
    if n < 3 or not sd:
        return None, None
    half = quantile(n - 1, (1 + level) / 2) * sd / n**0.5
    return mean - half, mean + half


def confidence(study: Study) -> float:
    """The confidence that the experiment's report asks for."""
    return study.plan.report.interval

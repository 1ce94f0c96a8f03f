"""Warm-up and measurement in BookSim2's periods of equal length."""

from __future__ import annotations

import math

from weft.engines.booksim.configuration import InexpressibleError, Value
from weft.plan.spec import OptionsSpec

#: More periods than this would spend their time on printing.
MOST_PERIODS = 100
#: After so many measured periods in a row BookSim2 may end a run that has settled.
SETTLED = 3
#: Periods of a detected warm-up, at most.
MOST_WARMUP = 30


def period_keys(options: OptionsSpec) -> dict[str, Value]:
    """Keys that make a run measure `measure_cycles` after `warmup_cycles`.

    Both are exact where they have a large common divisor. Else a period is a third of the
    measurement, rounded up, and the warm-up as many of them as cover it. Without
    `warmup_cycles` BookSim2 finds out itself, period by period, when it is warm.
    Raises InexpressibleError for no warm-up.
    """
    warmup, measure = options.get("warmup_cycles"), int(options["measure_cycles"])
    third = math.ceil(measure / SETTLED)
    if warmup is None:
        return _keys(third, 0, MOST_WARMUP + SETTLED, settles=True)
    if warmup == 0:
        raise InexpressibleError("BookSim2 warms up for one period at least; warmup_cycles is 0")
    period = math.gcd(warmup, measure)
    count = measure // period
    if (warmup + measure) // period > MOST_PERIODS:
        period, count = third, SETTLED
    before = math.ceil(warmup / period)
    return _keys(period, before, before + count, settles=count <= SETTLED)


def _keys(period: int, before: int, total: int, *, settles: bool) -> dict[str, Value]:
    # A negative threshold is met always, and zero only by numbers that repeat exactly.
    threshold = -1.0 if settles else 0.0
    return {
        "sample_period": period,
        "warmup_periods": before,
        "max_samples": total,
        "stopping_thres": threshold,
        "acc_stopping_thres": threshold,
    }

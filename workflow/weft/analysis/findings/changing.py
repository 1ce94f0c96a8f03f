"""How much values change along an axis against its first place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from weft.analysis.findings.values import Value, on_common_draws
from weft.analysis.student import quantile


@dataclass(frozen=True, slots=True)
class ChangeFinding:
    """At `x` a mean has changed by `share` of the first one: 0.1 is 10 % more.

    Of several replicates `low` and `high` are the least and the greatest change, and `is_clear`
    says whether it exceeds their scatter.
    """

    x: float
    share: float
    low: float
    high: float
    replicates: int
    is_clear: bool = True


def changes(curve: Mapping[float, Value], confidence: float = 0.95) -> list[ChangeFinding]:
    """The changes at all places behind the first; none where the first value is 0.

    Each replicate is compared with the first value of its own seed; those that only one place has
    do not count, and neither does a place without any in common.
    """
    (_, start), *rest = sorted(curve.items()) or [(0.0, Value(0.0))]
    found = []
    for x, value in rest if start.mean else []:
        both = on_common_draws([start, value])
        if not both or not both[0].mean:
            continue
        base, now = both
        pairs = zip(now.replicates, base.replicates, strict=False)
        each = [new / old - 1 for new, old in pairs if old]
        share = now.mean / base.mean - 1
        ends = (min(each, default=share), max(each, default=share))
        clear = len(each) < 2 or _is_clear(each, confidence)
        found.append(ChangeFinding(x, share, *ends, len(each), clear))
    return found


def _is_clear(shares: Sequence[float], confidence: float) -> bool:
    """Whether changes of the same draws differ from none: a t test of their logarithms, since what
    a draw does to both values is mostly a factor."""
    if min(shares) <= -1:
        return True
    logs = [math.log1p(share) for share in shares]
    error = stdev(logs) / len(logs) ** 0.5
    return bool(abs(fmean(logs)) > quantile(len(logs) - 1, (1 + confidence) / 2) * error)

"""How much values change along an axis against its first place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weft.analysis.findings.values import Value, on_common_draws


@dataclass(frozen=True, slots=True)
class ChangeFinding:
    """At `x` a mean has changed by `share` of the first one: 0.1 is 10 % more.

    Of several replicates `low` and `high` are the least and the greatest change.
    """

    x: float
    share: float
    low: float
    high: float
    replicates: int


def changes(curve: Mapping[float, Value]) -> list[ChangeFinding]:
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
        found.append(ChangeFinding(x, share, *ends, len(each)))
    return found

"""How much values change along an axis against its first place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.findings.values import Value


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

    As many replicates at both places have the same seeds, so each is compared with its own first
    value. Else all are compared with the first mean.
    """
    (_, start), *rest = sorted(curve.items()) or [(0.0, Value(0.0))]
    found = []
    for x, value in rest if start.mean else []:
        bases: Sequence[float] = start.replicates
        if len(bases) != len(value.replicates):
            bases = [start.mean] * len(value.replicates)
        pairs = zip(value.replicates, bases, strict=True)
        each = [now / base - 1 for now, base in pairs if base]
        share = value.mean / start.mean - 1
        ends = (min(each, default=share), max(each, default=share))
        found.append(ChangeFinding(x, share, *ends, len(each)))
    return found

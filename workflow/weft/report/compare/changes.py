"""Which values of two experiments differ by more than they scatter."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from weft.analysis.findings import Value, apart, on_common_draws
from weft.report.compare.rows import ComparedPlace, Entry, entries, joining
from weft.report.data.axes import SIZE
from weft.report.data.intervals import confidence
from weft.report.data.source import Study

#: What a simulator computes twice agrees to the last digits that it writes.
SAME = 1e-9


class Verdict(StrEnum):
    """What two values of one place say."""

    CHANGED = "changed"
    SAME = "within scatter"
    FLAGGED = "flagged"
    #: Measured once, without repetitions: its scatter is unknown.
    UNKNOWN = "scatter unknown"


@dataclass(frozen=True, slots=True)
class Pair:
    """The values of both experiments at one place.

    `lacking` says whether one of them lacks seeds that the other has, which count for neither.
    """

    metric: str
    coordinates: Mapping[str, object]
    a: Value
    b: Value
    verdict: Verdict
    lacking: bool = False

    @property
    def size(self) -> float:
        """How far the values are apart, as a share of the larger one."""
        largest = max(abs(self.a.mean), abs(self.b.mean))
        return abs(self.b.mean - self.a.mean) / largest if largest else 0.0


@dataclass(frozen=True, slots=True)
class Compared:
    """All places: those of both, and those that only one has; `keys` distinguish places."""

    keys: tuple[str, ...]
    pairs: tuple[Pair, ...]
    only_a: tuple[Entry, ...]
    only_b: tuple[Entry, ...]

    @property
    def changes(self) -> list[Pair]:
        """The pairs that changed, the largest change first."""
        found = self.having(Verdict.CHANGED)
        return sorted(found, key=lambda pair: -pair.size)

    def having(self, verdict: Verdict) -> list[Pair]:
        """The pairs with this verdict."""
        return [pair for pair in self.pairs if pair.verdict == verdict]

    @property
    def distinguishing(self) -> tuple[str, ...]:
        """The keys that distinguish places, message sizes where there are several."""
        sizes = {pair.coordinates[SIZE] for pair in self.pairs}
        return (*self.keys, SIZE) if len(sizes) > 1 else self.keys

    @property
    def judged(self) -> int:
        """How many pairs can be judged."""
        return len(self.having(Verdict.CHANGED)) + len(self.having(Verdict.SAME))


def compared(a: Study, b: Study) -> Compared:
    """Join the answers of two experiments and judge each pair."""
    keys = joining(a, b)
    left, right = entries(a, keys), entries(b, keys)
    level = confidence(a)
    return Compared(
        tuple(keys),
        tuple(_pair(one, right[at], level) for at, one in left.items() if at in right),
        _missing(left, right),
        _missing(right, left),
    )


def _missing(
    these: Mapping[ComparedPlace, Entry], others: Mapping[ComparedPlace, Entry]
) -> tuple[Entry, ...]:
    return tuple(entry for at, entry in these.items() if at not in others)


def _pair(a: Entry, b: Entry, level: float) -> Pair:
    whole = a.value, b.value
    counts = [len(value.replicates) for value in whole]
    if a.measured and counts[0] != counts[1]:
        # No seed joins the repeats of two measurements.
        a, b = (
            replace(each, value=replace(each.value, draws=tuple((run, n) for n in range(count))))
            for each, run, count in zip((a, b), "ab", counts, strict=True)
        )
        return Pair(a.metric, a.coordinates, a.value, b.value, _verdict(a, b, level))
    one, other = on_common_draws(whole) or whole
    a, b = replace(a, value=one), replace(b, value=other)
    lacking = [len(one.replicates), len(other.replicates)] != counts
    return Pair(a.metric, a.coordinates, one, other, _verdict(a, b, level), lacking)


def _verdict(a: Entry, b: Entry, level: float) -> Verdict:
    if a.flagged or b.flagged:
        return Verdict.FLAGGED
    if not (math.isfinite(a.value.mean) and math.isfinite(b.value.mean)):
        return Verdict.UNKNOWN
    if a.measured and b.measured and not (_scatters(a.value) and _scatters(b.value)):
        return Verdict.UNKNOWN
    return Verdict.CHANGED if apart(a.value, b.value, level, SAME) else Verdict.SAME


def _scatters(value: Value) -> bool:
    return len(value.replicates) > 1 or value.middle is not None

"""What rankings of alternatives say: who leads where, by how much, and which model disagrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from weft.analysis.findings import BestFinding, Stretch, Value, stretches
from weft.report.answers.grid import GridPlace
from weft.report.data.metrics import Metric

#: By this factor a series is far behind.
FAR = 10.0


@dataclass(frozen=True, slots=True)
class Dissent:
    """An `engine` that has no leader in common with the nearest one at `places` of `of` places.

    `leaders` are those that it has there, the most frequent first.
    """

    engine: str
    places: int
    of: int
    leaders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Beyond:
    """Behind the place `last` of the axis, only the alternatives `names` have values."""

    last: float
    names: tuple[str, ...]


@dataclass(frozen=True)
class BestFacts:
    """The rankings of one group, at places that differ along the axis `over` and other keys.

    `error` rests on the fit of a network or on measured computing. `whose` is the engine that
    answers, where others have values, too. `dissents` has an entry for each of these. `beyond` is
    where no alternative has a rival.
    """

    metric: Metric
    confidence: float
    over: str | None
    ranked: tuple[BestFinding, ...]
    is_fitted: bool
    is_measured: bool
    whose: str | None
    dissents: tuple[Dissent, ...]
    beyond: Beyond | None = None

    @cached_property
    def names(self) -> list[str]:
        """The alternatives."""
        return list(dict.fromkeys(n for r in self.ranked for n, _ in r.order))

    @cached_property
    def always(self) -> list[str]:
        """Those that lead everywhere, alone or beside others."""
        leads = Counter(n for r in self.ranked for n in r.leaders)
        return [n for n in self.names if leads[n] == len(self.ranked)]

    @cached_property
    def clear(self) -> list[BestFinding]:
        """The rankings with one leader."""
        return [r for r in self.ranked if len(r.leaders) == 1]

    @property
    def all_alike(self) -> bool:
        """Whether nowhere any alternative differs from the best."""
        return all(len(r.leaders) == len(r.order) for r in self.ranked)

    @cached_property
    def varying(self) -> list[str]:
        """The keys in which the places differ."""
        seen: dict[str, set[str]] = {}
        for ranking in self.ranked:
            for key, setting in place_of(ranking):
                seen.setdefault(key, set()).add(repr(setting))
        return [key for key, settings in seen.items() if len(settings) > 1]

    @property
    def error(self) -> float:
        """How far predictions may be off, as a share, where that makes alternatives level."""
        ties = any(len(r.leaders) > 1 for r in self.ranked)
        return max((v.error for _, v in self._values), default=0.0) if ties else 0.0

    @property
    def has_error(self) -> bool:
        """Whether any prediction may be off as a whole."""
        return any(v.error for _, v in self._values)

    @property
    def scatters(self) -> bool:
        """Whether any value has replicates or repetitions."""
        return any(len(v.replicates) > 1 or v.middle for _, v in self._values)

    @property
    def replicates(self) -> int:
        """The most replicates of a value, 0 without any."""
        return max({len(v.replicates) for _, v in self._values} - {0, 1}, default=0)

    @property
    def _values(self) -> list[tuple[str, Value]]:
        return [each for r in self.ranked for each in r.order]

    @cached_property
    def far(self) -> dict[str, list[float]]:
        """Those that are somewhere far behind, with their factors at all places; of two
        alternatives the lead says it."""
        if len(self.names) < 3:
            return {}
        factors = {
            name: [r.behind(name) or 1.0 for r in self.ranked if name in dict(r.order)]
            for name in self.names
        }
        return {name: each for name, each in factors.items() if max(each) >= FAR}

    @cached_property
    def along(self) -> list[tuple[float, BestFinding]]:
        """The rankings along an axis of numbers, if the places differ in it alone."""
        if self.over is None or any(k != self.over for k in self.varying):
            return []
        ranked = [(dict(place_of(r)).get(self.over), r) for r in self.ranked]
        numbers = [(float(x), r) for x, r in ranked if isinstance(x, int | float)]
        return sorted(numbers, key=lambda each: each[0]) if len(numbers) == len(ranked) else []

    @cached_property
    def stretches(self) -> list[Stretch]:
        """Who leads from where to where along the axis."""
        return stretches(self.along)


def place_of(ranking: BestFinding) -> GridPlace:
    """The keys with their values at which alternatives were ranked."""
    assert isinstance(ranking.place, tuple)
    return ranking.place


def dissent(
    engine: str, theirs: Iterable[BestFinding], ours: Sequence[BestFinding], ending: str
) -> Dissent | None:
    """How often an engine puts others first, whose names have no `ending`; None without a place
    in common."""
    leaders = {ranking.place: ranking.leaders for ranking in ours}
    both = [(r, leaders[r.place]) for r in theirs if r.place in leaders]
    if not both:
        return None
    others = [r.leaders for r, mine in both if not {*r.leaders} & {*mine}]
    named = Counter(name for each in others for name in each)
    leading = tuple(name.removesuffix(ending) for name, _ in named.most_common())
    return Dissent(engine, len(others), len(both), leading)


def leads(ranked: Iterable[BestFinding]) -> list[float]:
    """The factors between the best and the best of those that are worse, the least first."""
    return sorted(lead for r in ranked if (lead := r.lead) is not None)


def beyond(
    over: str | None,
    ranked: Iterable[BestFinding],
    curves: Mapping[str, Mapping[GridPlace, Value]],
) -> Beyond | None:
    """Which alternatives go on along the axis where no two have values any more; None if none."""
    here: dict[str, list[float]] = {}
    for ranking in ranked:
        rest = repr([item for item in place_of(ranking) if item[0] != over])
        x = dict(place_of(ranking)).get(str(over))
        if not isinstance(x, int | float):
            return None
        here.setdefault(rest, []).append(x)
    if len(here) != 1:
        return None
    ((place, xs),) = here.items()
    going_on = [
        name for name, curve in curves.items()
        if any(
            repr([item for item in at if item[0] != over]) == place
            and isinstance(x := dict(at).get(str(over)), int | float) and x > max(xs)
            for at in curve
        )
    ]  # fmt: skip
    return Beyond(max(xs), tuple(going_on)) if going_on else None

"""Which alternative is best at each place, and over which stretch of an axis it stays so."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from weft.analysis.findings.values import Value, apart, on_common_draws

Better = Literal["lower", "higher"]
Place = TypeVar("Place", bound=Hashable)


@dataclass(frozen=True, slots=True)
class BestFinding:
    """The alternatives at one place, best first; `leaders` do not differ from the best."""

    place: Hashable
    order: tuple[tuple[str, Value], ...]
    leaders: tuple[str, ...]

    @property
    def best(self) -> str:
        """The alternative with the best mean."""
        return self.order[0][0]

    def behind(self, name: str) -> float | None:
        """The factor by which `name` is worse than the best; None where one of them is 0."""
        first, found = self.order[0][1].mean, dict(self.order)[name].mean
        if first <= 0 or found <= 0:
            return None
        return max(first / found, found / first)

    @property
    def lead(self) -> float | None:
        """The factor to the best of those that are worse; None where there is none."""
        rest = [name for name, _ in self.order if name not in self.leaders]
        return self.behind(rest[0]) if rest else None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring places of an axis with the same leaders."""

    leaders: tuple[str, ...]
    first: float
    last: float


def rankings(
    curves: Mapping[str, Mapping[Place, Value]], better: Better, confidence: float = 0.95
) -> list[BestFinding]:
    """A ranking for each place at which two alternatives have a value, in the order of places.

    Means are those of the draws that all alternatives of a place have.
    """
    places = dict.fromkeys(place for curve in curves.values() for place in curve)
    found = []
    for place in places:
        names = [name for name, curve in curves.items() if place in curve]
        values = on_common_draws([curves[name][place] for name in names])
        here = list(zip(names, values, strict=False))
        if len(here) < 2:
            continue
        here.sort(key=lambda each: each[1].mean, reverse=better == "higher")
        top = curves[here[0][0]][place]
        leaders = [name for name, _ in here if not apart(top, curves[name][place], confidence)]
        found.append(BestFinding(place, tuple(here), tuple(leaders)))
    return found


def stretches(ranked: Sequence[tuple[float, BestFinding]]) -> list[Stretch]:
    """Who leads from where to where; `ranked` has the x of each ranking, sorted.

    Places at which the leaders of the stretch before tie with others belong to it.
    """
    found: list[Stretch] = []
    for x, ranking in ranked:
        last = found[-1] if found else None
        common = tuple(n for n in last.leaders if n in ranking.leaders) if last else ()
        if last and common:
            found[-1] = Stretch(common, last.first, x)
        else:
            found.append(Stretch(ranking.leaders, x, x))
    return found

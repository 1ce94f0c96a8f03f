"""Which model suffices where: for each value of a key, the simplest one that is near enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from weft.analysis.comparison import AnswerRatio, Comparison
from weft.config.model.declaration import FIDELITIES
from weft.report.answers.wording import name
from weft.report.data.fidelity import fidelity
from weft.report.data.references import engine_of
from weft.report.data.settings import follows
from weft.report.data.settings_in_words import in_words, setting_in_words
from weft.report.data.source import Study
from weft.report.data.units import deviation, factor, listing, value_label

#: Of the simpler ones, the nearest in fidelity.
_MOST_SIMPLER = 3
Place = tuple[tuple[str, object], ...]


def sufficing_sentences(
    study: Study,
    each: Sequence[str],
    found: Sequence[Comparison],
    near: float,
    along: str | None = None,
) -> list[str]:
    """`Within 5 % of packet in program time, flow suffices for a and b; rdma for c; none for d.`

    One sentence for each reference. A series suffices at a place if all of its values there are
    within `near`. Of several that suffice, the one of lowest fidelity is named.
    """
    references = dict.fromkeys(comparison.to for comparison in found)
    return [
        _sentence(study, each, [c for c in found if c.to == reference], near, along)
        for reference in references
    ]


def _sentence(
    study: Study, each: Sequence[str], found: Sequence[Comparison], near: float, along: str | None
) -> str:
    ordered = simplest(study, found)
    places = {c.of: by_place(c, each) for c in ordered}
    every = dict.fromkeys(place for mine in places.values() for place in mine)
    suits: dict[str, list[Place]] = {}
    left: list[Place] = []
    in_part: dict[Place, str | None] = {}
    for place in every:
        enough = (of for of, mine in places.items() if _all_near(mine.get(place, ()), near))
        of = next(enough, None)
        (suits.setdefault(of, []) if of else left).append(place)
    parts = [
        f"{of} suffices for {listing(label(place) for place in suits[of])}"
        for of in places
        if of in suits
    ]
    for place in left:
        mine = {of: by.get(place, ()) for of, by in places.items()}
        in_part[place] = _in_part(mine, near, along)
    parts += [f"for {label(place)} {text}" for place, text in in_part.items() if text]
    left = [place for place in left if not in_part[place]]
    if left:
        worst = max(_nearest(places, place) for place in left)
        where = listing(label(place) for place in left)
        parts.append(f"none suffices for {where}: the nearest is off by up to {factor(worst)}")
    # How far off a simpler one is, which suffices nowhere, is what somebody asks who would use it.
    first = next((n for n, c in enumerate(ordered) if c.of in suits), 0)
    parts += [
        f"{c.of} is off by up to {deviation(c.max_factor)}"
        for c in ordered[:first][-_MOST_SIMPLER:]
    ]
    metric = name(study, found[0].metric)
    return f"Within {near:.0%} of {found[0].to} in {metric}, {'; '.join(parts)}."


def _in_part(
    ratios: Mapping[str, Sequence[AnswerRatio]], near: float, along: str | None
) -> str | None:
    """`flow up to 4`: the series that is near for longest from the first value along an axis on, of
    equal ones the simplest; None where none is at two values or more."""
    best: tuple[int, str, object] | None = None
    for of, mine in ratios.items():
        # Several values may share a place along the axis: all of them must be near.
        at: dict[float, bool] = {}
        for ratio in mine:
            x = ratio.coordinates.get(along or "")
            if isinstance(x, int | float):
                at[float(x)] = at.get(float(x), True) and _all_near([ratio], near)
        reach = list(takewhile(at.__getitem__, sorted(at)))
        if len(reach) > 1 and (best is None or len(reach) > best[0]):
            best = len(reach), of, reach[-1]
    if best is None:
        return None
    beyond = factor(max(map(off, ratios[best[1]])))
    return f"{best[1]} up to {setting_in_words(str(along), best[2])}, beyond by up to {beyond}"


def simplest(study: Study, found: Sequence[Comparison]) -> list[Comparison]:
    """Those of the lowest fidelity first."""
    return sorted(found, key=lambda c: _rank(study, c))


def _rank(study: Study, comparison: Comparison) -> int:
    engine = engine_of(study, comparison.of)
    return FIDELITIES.index(fidelity(study, engine)) if engine else len(FIDELITIES)


def keys_of_values(
    study: Study, each: Sequence[str], found: Sequence[Comparison]
) -> tuple[str, ...]:
    """The keys `each` as the values have them: a sweep over whole workloads has no key
    `workload.program`, which follows from the workload."""
    known = {key for c in found for ratio in c.ratios for key in ratio.coordinates}
    chosen = study.chosen({})
    swept = [key for key in study.swept if key in known]
    return tuple(
        key if key in known else next((s for s in swept if follows(chosen, key, [s])), key)
        for key in each
    )


def by_place(c: Comparison, keys: Sequence[str]) -> dict[Place, list[AnswerRatio]]:
    """The ratios that judge, by the values of `keys`."""
    found: dict[Place, list[AnswerRatio]] = {}
    for ratio in c.ratios:
        place = tuple((key, ratio.coordinates.get(key)) for key in keys)
        found.setdefault(place, []).append(ratio)
    return found


def off(ratio: AnswerRatio) -> float:
    """The factor between a value and its reference, at least 1."""
    return max(ratio.ratio, 1 / ratio.ratio)


def _all_near(ratios: Sequence[AnswerRatio], near: float) -> bool:
    return bool(ratios) and all(1 / (1 + near) <= each.ratio <= 1 + near for each in ratios)


def _nearest(places: Mapping[str, Mapping[Place, Sequence[AnswerRatio]]], place: Place) -> float:
    """How far off the best series is at its worst value there."""
    return min(max(map(off, mine[place])) for mine in places.values() if place in mine)


def label(place: Place) -> str:
    """The value alone of one key; of several keys, their names with them."""
    if len(place) == 1:
        return value_label(*place[0])
    return in_words(place)

"""Of several numeric keys: which values are best, and beyond which a metric hardly changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from weft.analysis.findings import Better, Value, apart
from weft.report.answers.grid import GridPlace, ValueGrid, numbered
from weft.report.data.intervals import confidence
from weft.report.data.metrics import Metric
from weft.report.data.settings_in_words import key_name, lowered, setting_in_words
from weft.report.data.units import listing, quantity, value_label

#: Values that differ by at most this share from the best one of their curve are as good.
NEAR = 0.05


def optimum_text(values: ValueGrid, metric: Metric, keys: Sequence[str]) -> str:
    """`the accepted rate is highest, 0.9, with 4 virtual channels and 16 flits; …`; empty where no
    value of the keys is best in most places, or the metric has no better."""
    if metric.direction == "neutral":
        return ""
    better: Better = "lower" if metric.direction == "lower" else "higher"
    cases = [case for case in _cases(values, keys) if len(case) > 1]
    best = [_best(case, better, confidence(values.study)) for case in cases]
    counts = {place: sum(place in each for each in best) for place in chain(*best)}
    if not counts:
        return ""
    place = max(counts, key=lambda each: counts[each])
    # A best place that few cases share is no answer.
    if 2 * counts[place] <= len(cases):
        return ""
    if all(len(each) == len(case) for each, case in zip(best, cases, strict=True)):
        return ""
    text = f"the {lowered(metric.label)} is {'lowest' if better == 'lower' else 'highest'}"
    if len(cases) == 1:
        text += f", {quantity(cases[0][place].mean, metric.unit)},"
    text += f" with {listing(setting_in_words(key, value) for key, value in place)}"
    if len(cases) == 1 and len(best[0]) > 1:
        text += f", and no clearer than with {len(best[0]) - 1} of the other settings"
    if len(cases) > 1:
        every = "both" if len(cases) == 2 else f"all {len(cases)}"
        held = every if counts[place] == len(cases) else f"{counts[place]} of {len(cases)}"
        text += f" in {held} cases"
    bounds = [each for key in keys if (each := _enough(values, key, keys))]
    if bounds:
        text += f"; {' and '.join(bounds)} it changes by at most {NEAR:.0%}, all else equal"
    return text


def _cases(values: ValueGrid, keys: Sequence[str]) -> list[dict[GridPlace, Value]]:
    """The values by the settings `keys`, for each place of what else differs."""
    rest = values.places(keys)
    found: dict[GridPlace, dict[GridPlace, Value]] = {}
    for curve in values.curves([], [*rest, *keys]).values():
        for place, value in curve.items():
            found.setdefault(place[: len(rest)], {})[place[len(rest) :]] = value
    return [*found.values()]


def _best(case: Mapping[GridPlace, Value], better: Better, level: float) -> list[GridPlace]:
    """The best place, and those that do not differ from it by more than the scatter."""
    first = (min if better == "lower" else max)(case, key=lambda place: case[place].mean)
    others = [p for p in case if p != first and not apart(case[first], case[p], level)]
    return [first, *others]


def _enough(values: ValueGrid, key: str, keys: Sequence[str]) -> str:
    """Beyond which setting of `key` the metric stays near its value there, wherever all else is
    equal; empty where only the last one is left."""
    others = [k for k in keys if k != key]
    rest = [k for k in values.places([key], others) if k != key]
    curves = [
        {x: value.mean for x, value in sorted(curve.items())}
        for named in numbered(values.curves([], [*rest, key])).values()
        for curve in named.values()
    ]
    places = sorted({x for curve in curves for x in curve})
    for start in places[:-1]:
        if all(_stays(curve, start) for curve in curves):
            beyond = f"beyond {setting_in_words(key, start)}"
            return beyond if start != places[0] else f"over all values of {key_name(key)}"
    return _enough_with(values, key, others, places) if len(others) == 1 else ""


def _enough_with(
    values: ValueGrid, key: str, others: Sequence[str], places: Sequence[float]
) -> str:
    """`beyond a VC buffer of 16 flits with 2 and 4 virtual channels`: the same where it holds for
    some values of the only other key."""
    (other,) = others
    rest = [k for k in values.places([key], others) if k not in (key, other)]
    by_value: dict[object, list[dict[float, float]]] = {}
    for place, named in numbered(values.curves([], [other, *rest, key])).items():
        by_value.setdefault(dict(place)[other], []).extend(
            {x: value.mean for x, value in sorted(curve.items())} for curve in named.values()
        )
    for start in places[1:-1]:
        held = [v for v, curves in by_value.items() if all(_stays(c, start) for c in curves)]
        if held:
            with_ = listing(value_label(other, value) for value in held)
            return f"beyond {setting_in_words(key, start)} with {key_name(other)} {with_}"
    return ""


def _stays(curve: Mapping[float, float], start: float) -> bool:
    """Whether a curve has values beyond `start`, all of them near that at `start`."""
    beyond = [mean for x, mean in curve.items() if x > start]
    there = curve.get(start)
    if there is None or not beyond:
        return False
    return all(abs(mean - there) <= NEAR * abs(there) for mean in beyond)

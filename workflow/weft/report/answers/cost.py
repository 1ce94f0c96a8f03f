"""The question `cost`: what each engine costs for the same points, and which one is good enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.comparison import Answer, Comparison, canonical
from weft.analysis.findings import Value, on_common_draws
from weft.config.model.figure import Figure, Plotted
from weft.report.answers.agreement.question import NEAR, one_per_series
from weft.report.answers.question import PageSources, PlainAsk
from weft.report.answers.wording import name
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.references import (
    EVERYWHERE,
    along_variants,
    comparisons,
    engine_of,
    engine_series,
    metric_wheres,
    report_metrics,
)
from weft.report.data.settings_in_words import key_name
from weft.report.data.source import Study, Where
from weft.report.data.units import counted, factor, listing, quantity, value_label

_MOST_NAMED = 6
_SPENT = {"cpu_s": "CPU time", "wall_s": "elapsed time"}
#: The total of a series, in the unit of the cost.
Totals = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class CostAsk(PlainAsk):
    """What each series costs: CPU time or elapsed time, over `wheres`, or over all points.

    `to` says what is good enough, None the reference of the report. Figures alone ask without
    `is_asked`. Where only costs are drawn, nothing `judges` which one is good enough.
    """

    of: str
    wheres: tuple[Where, ...] = ()
    to: str | None = None
    within: float = NEAR
    is_asked: bool = False
    judges: bool = True
    over: None = None

    def sentences(self, page: PageSources) -> list[str]:
        """What each series costs, then for each metric the cheapest one that is near its reference.

        Nothing where only one series has answers. Points that were computed earlier cost what was
        recorded then.
        """
        study, figures = page.study, page.figures
        series = engine_series(study, self.of, self.wheres or EVERYWHERE)
        costs, points = totals(series)
        axis = _axis(figures, self.of, series) if not points else None
        if axis:
            costs, points = totals(series, [axis])
        if len(costs) < 2:
            return []
        if not points:
            # A figure shows each cost by itself.
            text = f"{listing(costs)} share no point, so their costs cannot be compared."
            return [text] if self.is_asked else []
        sentences = [_compared(study, self.of, costs, points, axis)]
        sentences += _along_axis(figures, self.of, series)
        for metric in report_metrics(study, figures) if self.judges else ():
            wheres = self.wheres or metric_wheres(figures, metric)
            places = along_variants(figures, metric)
            every = comparisons(study, metric, page.references, wheres, self.to, places)
            found = one_per_series([each for each in every if not each.fitted])
            for reference in dict.fromkeys(each.to for each in found):
                mine = [c for c in found if c.to == reference and _saves(study, c, costs)]
                sentences += _enough(study, mine, self.within, costs, study.metrics[self.of].unit)
        return sentences


def _along_axis(
    figures: Sequence[Figure], metric: str, series: Mapping[str, Sequence[Answer]]
) -> list[str]:
    """How much more each series costs than the cheapest, from the first value of the figure's axis
    to the last: `Along k, packet costs ×38 as much as flow at 3 and ×28 at 8.`"""
    figure = next((f for f in figures if isinstance(f, Plotted) and f.metric == metric), None)
    if figure is None or figure.x == "engine":
        return []
    by_value: dict[float, dict[str, list[float]]] = {}
    for label, answers in series.items():
        for each in answers:
            x = each.coordinates.get(figure.x)
            if isinstance(x, int | float):
                spent = by_value.setdefault(float(x), {})
                spent.setdefault(label, []).append(each.whole.mean)
    # Of as many points each.
    whole = {
        x: {label: sum(values) for label, values in spent.items()}
        for x, spent in sorted(by_value.items())
        if spent.keys() == series.keys() and len({len(values) for values in spent.values()}) == 1
    }
    if len(whole) < 2:
        return []
    (first, least), *_, (last, most) = whole.items()
    base = min(most, key=lambda label: most[label])
    if not least[base] or not most[base]:
        return []
    said = [
        f"{label} costs {ends[0]} as much as {base} at {value_label(figure.x, first)} and {ends[1]}"
        f" at {value_label(figure.x, last)}"
        for label in series
        if label != base
        for ends in [[factor(costs[label] / costs[base]) for costs in (least, most)]]
        if ends[0] != ends[1]
    ]
    if not said:
        return []
    return [f"Along {key_name(figure.x)}, {listing(said[:_MOST_NAMED])}."]


def _saves(study: Study, c: Comparison, costs: Totals) -> bool:
    """Whether a model could stand for its reference: a simulator that costs less needs none."""
    engine = engine_of(study, c.to)
    is_simulator = engine is not None and fidelity(study, engine) != MACHINE
    return c.of in costs and not (is_simulator and costs[c.of] >= costs.get(c.to, float("inf")))


def _axis(
    figures: Sequence[Figure], metric: str, series: Mapping[str, Sequence[Answer]]
) -> str | None:
    """The axis of a figure of the cost, if each series has one value at each of its places: what
    else differs between the series then belongs to them, such as a routing that one engine has."""
    for figure in figures:
        if isinstance(figure, Plotted) and figure.metric == metric:
            places = [[each.coordinates.get(figure.x) for each in own] for own in series.values()]
            if all(None not in own and len(set(own)) == len(own) for own in places):
                return figure.x
    return None


def totals(
    series: Mapping[str, Sequence[Answer]], over: Sequence[str] | None = None
) -> tuple[Totals, int]:
    """The sum of each series over the places that all of them have, the least first, and how many
    places these are. Places are those of the keys `over`, or of all keys that every series has; of
    replicates those count whose seeds all of them have."""
    known = [{key for each in answers for key in each.coordinates} for answers in series.values()]
    keys = sorted(set.intersection(*known)) if known else []
    keys = keys if over is None else list(over)
    by_place: dict[tuple[object, ...], list[tuple[str, Value]]] = {}
    for label, answers in series.items():
        for each in answers:
            place = tuple(canonical(each.coordinates.get(key)) for key in keys)
            by_place.setdefault(place, []).append((label, each.whole))
    totals, places = dict.fromkeys(series, 0.0), 0
    for found in by_place.values():
        common = on_common_draws([value for _, value in found])
        if common and {label for label, _ in found} == set(series):
            places += 1
            for (label, _), value in zip(found, common, strict=True):
                totals[label] += value.mean
    return dict(sorted(totals.items(), key=lambda item: item[1])), places


def _compared(study: Study, metric: str, costs: Totals, points: int, axis: str | None) -> str:
    """`The same 5 points take 2 s of CPU time in flow, …`; along an `axis` other settings may
    differ."""
    unit = study.metrics[metric].unit
    (cheapest, least), *others = costs.items()
    what = f"{counted(points, 'value')} of {key_name(axis)}" if axis else counted(points, "point")
    start = f"The same {what.removeprefix('1 ')} {'takes' if points == 1 else 'take'}"
    parts = [
        f"{quantity(cost, unit)} in {label}{f' ({factor(cost / least)})' if least else ''}"
        for label, cost in others[:_MOST_NAMED]
    ]
    left = len(others) - _MOST_NAMED
    parts += [f"at least as much in {left:,} more"] if left > 0 else []
    spent = f"{quantity(least, unit)} of {_SPENT[metric]} in {cheapest}"
    return f"{start} {listing([spent, *parts])}."


def _enough(
    study: Study, found: Sequence[Comparison], near: float, costs: Totals, unit: str
) -> list[str]:
    """The cheapest series that is near everywhere, else the one that is near most often."""
    if not found:
        return []
    cheapest_first = sorted(found, key=lambda c: costs[c.of])
    # Of those that are as near, the first is the cheapest.
    best = max(cheapest_first, key=lambda c: _close(c, near) / c.matched)
    close, number = _close(best, near), counted(best.matched, "value")
    bar = f"within {near:.0%} of {best.to}"
    what, cost = name(study, best.metric), quantity(costs[best.of], unit)
    if close == best.matched:
        which = "the only model" if len(found) == 1 else "the cheapest model"
        at = f": {which} {bar} at all {number}" if best.matched > 1 else f", which is {bar}"
        return [f"Good enough for the {what} is {best.of}, for {cost}{at}."]
    if not close:
        of_all = f" at any of {number}" if best.matched > 1 else ""
        return [f"No model is good enough for the {what}: none is {bar}{of_all}."]
    return [
        f"No model is good enough for the {what} everywhere: {best.of}, for {cost}, is {bar} at"
        f" {close:,} of {number}{', and no other at more of them' if len(found) > 1 else ''}."
    ]


def _close(comparison: Comparison, near: float) -> int:
    return sum(1 / (1 + near) <= each.ratio <= 1 + near for each in comparison.ratios)

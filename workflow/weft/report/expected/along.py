"""A metric that grows or falls along an axis, or crosses a level there."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from weft.analysis.bounds import HELD, MISSED, VOID, Bound
from weft.analysis.findings import Value, apart, on_common_draws
from weft.config.language.amounts import amount
from weft.config.model.expectation import AlongExpected
from weft.config.points.chosen_in_si import unit_of
from weft.report.answers.grid import GridPlace, grid, numbered
from weft.report.answers.wording import at
from weft.report.data.intervals import confidence
from weft.report.data.metrics import Metric
from weft.report.data.settings_in_words import setting_in_words
from weft.report.data.source import Study, Where
from weft.report.data.units import listing, quantity, value_label
from weft.report.expected.completeness import unjudged
from weft.report.expected.limits import beyond, bound_of
from weft.report.expected.outcome import JudgedPart, together

Curve = Mapping[float, Value]


def judged_along(study: Study, stated: AlongExpected, where: Where) -> JudgedPart:
    """Whether each curve goes as stated. A curve that does not misses, whatever became of other
    points."""
    values = grid(study, stated.metric, (where,), (stated.along,))
    keys = [key for key in values.places(()) if key not in ("engine", stated.along)]
    curves = numbered(values.curves((), [*keys, stated.along]))
    found = [
        (at(_named(rest)).strip(), _judged(study, stated, curve))
        for rest, by_name in curves.items()
        for curve in by_name.values()
    ]
    whole = together(found) if found else JudgedPart(VOID, "no value along the axis")
    if whole.verdict == MISSED:
        return whole
    why = unjudged(study, stated.metric, where)
    return JudgedPart(VOID, why) if why else whole


def _named(place: GridPlace) -> list[tuple[str, object]]:
    return [item for item in place if item[1] is not None]


def _judged(study: Study, stated: AlongExpected, curve: Curve) -> JudgedPart:
    if len(curve) < 2:
        return JudgedPart(VOID, "only one value along the axis")
    metric, level = study.metrics[stated.metric], confidence(study)
    ordered = dict(sorted(curve.items()))
    found = _going(stated, ordered, metric, level) if stated.goes else None
    if found is not None and found.verdict != HELD:
        return found
    if stated.crosses is None:
        assert found is not None
        return found
    unit = unit_of(stated.along) or "1"
    return _crossing(
        stated, ordered, metric, amount(stated.crosses, metric.unit), bound_of(stated, unit)
    )


def _going(stated: AlongExpected, curve: Curve, metric: Metric, level: float) -> JudgedPart:
    """Whether no step goes the other way, and how much the whole way changes."""
    sign = 1 if stated.goes == "grows" else -1
    for (x, a), (y, b) in pairwise(curve.items()):
        if sign * (b.mean - a.mean) < 0 and apart(a, b, level):
            way = "falls" if stated.goes == "grows" else "grows"
            ends = f"{quantity(a.mean, metric.unit)} to {quantity(b.mean, metric.unit)}"
            between = f"between {setting_in_words(stated.along, x)} and "
            return JudgedPart(
                MISSED, f"it {way} from {ends} {between}{value_label(stated.along, y)}"
            )
    first, *_, last = curve.values()
    both = on_common_draws([first, last])
    if not both:
        return JudgedPart(VOID, "the first and the last value share no seed")
    first, last = both
    ends = f"{quantity(first.mean, metric.unit)} to {quantity(last.mean, metric.unit)}"
    if not (sign * (last.mean - first.mean) > 0 and apart(first, last, level)):
        return JudgedPart(MISSED, f"from {ends} it does not change by more than the scatter")
    if stated.crosses is not None or not stated.ends():
        return JudgedPart(HELD, f"from {ends}")
    if first.mean <= 0:
        return JudgedPart(VOID, f"from {ends}, of which there is no share")
    change, bound = sign * (last.mean / first.mean - 1), bound_of(stated, "1")
    verdict = HELD if bound.met(change) else MISSED
    return JudgedPart(verdict, f"by {change:.1%}{beyond(change, bound)}, from {ends}")


def _crossing(
    stated: AlongExpected, curve: Curve, metric: Metric, level: float, bound: Bound
) -> JudgedPart:
    """Whether the level is crossed once, within the bound.

    The values say between which neighbours that is; where the bound lies between these, they do not
    decide.
    """
    sides = [(x, value.mean >= level) for x, value in curve.items()]
    found = [(a[0], b[0]) for a, b in pairwise(sides) if a[1] != b[1]]
    if not found:
        low, high = (f(value.mean for value in curve.values()) for f in (min, max))
        ends = f"{quantity(low, metric.unit)} to {quantity(high, metric.unit)}"
        return JudgedPart(MISSED, f"it does not cross it: {ends}")
    between = [
        f"between {setting_in_words(stated.along, a)} and {value_label(stated.along, b)}"
        for a, b in found
    ]
    if len(found) > 1:
        return JudgedPart(MISSED, f"it crosses it {len(found)} times, {listing(between)}")
    ((low, high),) = found
    # Behind the first of the neighbours, at the latest at the second one.
    after = (bound.above is None or low >= bound.above) and (
        bound.least is None or low >= bound.least
    )
    before = (bound.below is None or high < bound.below) and (
        bound.most is None or high <= bound.most
    )
    if after and before:
        return JudgedPart(HELD, between[0])
    is_below = (bound.above is not None and high <= bound.above) or (
        bound.least is not None and high < bound.least
    )
    is_above = (bound.below is not None and low >= bound.below) or (
        bound.most is not None and low >= bound.most
    )
    if is_below or is_above:
        return JudgedPart(MISSED, between[0])
    return JudgedPart(VOID, f"{between[0]}: no value in between decides")

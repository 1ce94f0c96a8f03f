"""From where on along an axis a metric reaches a level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.analysis.findings import Value, reaching
from weft.report.answers.along.series import AxisSeries
from weft.report.data.settings_in_words import lowered, setting_in_words
from weft.report.data.units import listing, quantity, value_label


def threshold_sentences(
    found: AxisSeries, level: float, is_least: bool, of_link: float | None = None
) -> list[str]:
    """A sentence for each place beside the axis, with a part for each of the series.

    Values above the `level` reach it if it is the least that is wanted, else those below. It may be
    the part `of_link` of what a link carries.
    """
    side = "least" if is_least else "most"
    bar = f"the {lowered(found.metric.label)} is at {side} {quantity(level, found.metric.unit)}"
    bar += f", {of_link:.0%} of what a link carries," if of_link else ""
    return [
        found.sentence(
            settings,
            f"{bar} "
            + (
                _alike(found, curves, level, is_least)
                or "; ".join(
                    (f"with {label} " if len(curves) > 1 else "")
                    + _where(found, curve, level, is_least)
                    for label, curve in curves.items()
                )
            ),
        )
        for settings, curves in found.numbered().items()
    ]


def _alike(
    found: AxisSeries, curves: Mapping[str, Mapping[float, Value]], level: float, is_least: bool
) -> str:
    """`from 256 ranks on with each of a, b and c`, where all of several reach it there."""
    means = [{x: value.mean for x, value in curve.items()} for curve in curves.values()]
    states = [reaching(each, level, "least" if is_least else "most") for each in means]
    places = {(state.start, state.before) for state in states}
    start, before = states[0].start, states[0].before
    if len(curves) < 2 or len(places) > 1 or start is None or before is None:
        return ""
    there, short_of = (_range(found, [each[x] for each in means]) for x in (start, before))
    where = f"from {setting_in_words(found.over, start)} on with each of {listing(curves)}"
    return f"{where} ({there}, after {short_of} at {value_label(found.over, before)})"


def _range(found: AxisSeries, values: Sequence[float]) -> str:
    """`0.31 to 0.62`, or the value that all of them show."""
    low, high = (quantity(end(values), found.metric.unit) for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _where(found: AxisSeries, curve: Mapping[float, Value], level: float, is_least: bool) -> str:
    """`from 256 ranks on (0.62, after 0.31 at 64)`."""
    over, means = found.over, {x: value.mean for x, value in curve.items()}
    state = reaching(means, level, "least" if is_least else "most")
    shown = {x: quantity(mean, found.metric.unit) for x, mean in means.items()}
    if state.start is not None and state.before is not None:
        after = f"after {shown[state.before]} at {value_label(over, state.before)}"
        return f"from {setting_in_words(over, state.start)} on ({shown[state.start]}, {after})"
    if state.start is None and state.reached:
        return f"only at {listing(setting_in_words(over, x) for x in state.reached)}"
    beyond, short_of = ("more", "less") if is_least else ("less", "more")
    all_of, bound = ("everywhere", beyond) if state.reached else ("nowhere", short_of)
    outermost = shown[state.farthest if state.reached else state.nearest]
    if len(means) == 1:
        return f"{'' if state.reached else 'not '}at {_span(over, means)} ({outermost})"
    return f"{all_of} {_span(over, means)} ({outermost} or {bound})"


def _span(over: str, places: Mapping[float, object]) -> str:
    low, high = min(places), max(places)
    if low == high:
        return setting_in_words(over, low)
    return f"from {setting_in_words(over, low)} to {value_label(over, high)}"

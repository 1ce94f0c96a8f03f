"""From where on along an axis a metric reaches a level."""

from __future__ import annotations

from collections.abc import Mapping

from weft.analysis.findings import Side, Value, reaching
from weft.report.answers.axis import axis_series
from weft.report.answers.grid import numbered
from weft.report.answers.questions import Ask
from weft.report.answers.wording import headed, name
from weft.report.data.source import Study
from weft.report.data.units import listing, quantity, settings_label, value_label


def threshold_sentences(study: Study, ask: Ask) -> list[str]:
    """A sentence for each value of the keys `each`, with a part for each of the series."""
    found = axis_series(study, ask)
    if found is None:
        return []
    level, side = _level(ask)
    bar = f"the {name(study, ask.of)} is at {side} {quantity(level, study.metrics[ask.of].unit)}"
    return [
        headed(
            [*found.start, *settings],
            f"{bar} "
            + "; ".join(
                (f"with {label} " if len(curves) > 1 else "") + _where(study, ask, curve)
                for label, curve in curves.items()
            ),
        )
        for settings, curves in numbered(found.curves).items()
    ]


def _level(ask: Ask) -> tuple[float, Side]:
    if ask.at_least is not None:
        return ask.at_least, "least"
    assert ask.at_most is not None
    return ask.at_most, "most"


def _where(study: Study, ask: Ask, curve: Mapping[float, Value]) -> str:
    """`from ranks = 256 on (0.62, after 0.31 at 64)`."""
    over, unit = str(ask.over), study.metrics[ask.of].unit
    means = {x: value.mean for x, value in curve.items()}
    level, side = _level(ask)
    state = reaching(means, level, side)
    shown = {x: quantity(mean, unit) for x, mean in means.items()}
    if state.start is not None and state.before is not None:
        after = f"after {shown[state.before]} at {value_label(over, state.before)}"
        return f"from {settings_label([(over, state.start)])} on ({shown[state.start]}, {after})"
    if state.start is None and state.reached:
        return f"only at {listing(settings_label([(over, x)]) for x in state.reached)}"
    beyond, short_of = ("more", "less") if side == "least" else ("less", "more")
    all_of, bound = ("everywhere", beyond) if state.reached else ("nowhere", short_of)
    outermost = shown[state.farthest if state.reached else state.nearest]
    if len(means) == 1:
        return f"{'' if state.reached else 'not '}at {_span(over, means)} ({outermost})"
    return f"{all_of} {_span(over, means)} ({outermost} or {bound})"


def _span(over: str, places: Mapping[float, object]) -> str:
    low, high = min(places), max(places)
    if low == high:
        return settings_label([(over, low)])
    return f"from {settings_label([(over, low)])} to {value_label(over, high)}"

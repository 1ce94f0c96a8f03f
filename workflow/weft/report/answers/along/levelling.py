"""From where on along an axis of numbers values no longer grow."""

from __future__ import annotations

from collections.abc import Mapping

from weft.analysis.findings import Better, SaturationFinding, Value, levelling
from weft.report.answers.along.series import AxisSeries
from weft.report.data.settings_in_words import lowered, setting_in_words
from weft.report.data.units import factor, quantity, value_label


def levelling_sentences(found: AxisSeries, near: float) -> list[str]:
    """A sentence for each series; values differ by at most the share `near` from the best one."""
    return [
        found.sentence(settings, f"{whose}{_text(found, curve, near)}")
        for settings, curves in found.numbered().items()
        for label, curve in curves.items()
        for whose in [f"{label}: " if len(curves) > 1 else ""]
    ]


def _text(found: AxisSeries, curve: Mapping[float, Value], near: float) -> str:
    over = found.over
    better: Better = "lower" if found.metric.direction == "lower" else "higher"
    state = levelling({x: value.mean for x, value in curve.items()}, better, near)
    what, best = f"the {lowered(found.metric.label)}", "lowest" if better == "lower" else "highest"
    top = quantity(state.value, found.metric.unit)
    if state.first is None:
        most = max(curve)
        last = setting_in_words(over, most)
        goes = "falls" if better == "lower" else "rises"
        return (
            f"{what} still {goes} at {last}, the most tried: it is {top} there"
            f"{_last_step(over, curve, most)}"
        )
    start = setting_in_words(over, state.first)
    return f"{what} is within {near:.0%} of its {best}, {top}, from {start}{_left(over, state)}"


def _last_step(over: str, curve: Mapping[float, Value], last: float) -> str:
    """`, ×1.11 that at 32`."""
    before = max((x for x in curve if x < last), default=None)
    if before is None or not curve[before].mean:
        return ""
    by = factor(curve[last].mean / curve[before].mean)
    return f", {by} that at {value_label(over, before)}"


def _left(over: str, state: SaturationFinding) -> str:
    """How far the curve stays near its best value."""
    if state.left is None:
        return " on"
    return f", but no longer at {setting_in_words(over, state.left)}"

"""How a latency grows before the network saturates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weft.analysis.findings import Value
from weft.report.answers.along.series import AxisSeries, axis_series
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.data.settings_in_words import lowered, setting_in_words
from weft.report.data.units import listing, quantity, value_label

#: The first load, its value, the last load, its value.
Ends = tuple[float, float, float, float]
#: A sentence names so many series.
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class LatencyAsk(SeriesAsk):
    """The latency along the loads that each network keeps up with."""

    def sentences(self, page: PageSources) -> list[str]:
        """A sentence for each place beside the loads, with the first and the last value of each
        series; nothing of series with one value."""
        found = axis_series(page.study, self)
        return _said(found) if found else []


def _said(found: AxisSeries) -> list[str]:
    sentences = []
    for settings, curves in found.numbered().items():
        ends = {label: _ends(curve) for label, curve in curves.items() if len(curve) > 1}
        if ends:
            sentences.append(found.sentence(settings, _text(found, ends, len(curves) > 1)))
    return sentences


def _ends(curve: Mapping[float, Value]) -> Ends:
    (first, low), *_, (last, high) = sorted((x, value.mean) for x, value in curve.items())
    return first, low, last, high


def _text(found: AxisSeries, ends: Mapping[str, Ends], are_several: bool) -> str:
    unit, over = found.metric.unit, found.over
    goes = "rises" if all(high > low for _, low, _, high in ends.values()) else "goes"
    firsts = {first for first, *_ in ends.values()}
    parts = []
    for label, (first, low, last, high) in [*ends.items()][:_MOST_NAMED]:
        at = "" if len(firsts) == 1 else f" at {setting_in_words(over, first)}"
        whose = f" ({label})" if are_several else ""
        to = f"{quantity(high, unit)} at {value_label(over, last)}"
        parts.append(f"from {quantity(low, unit)}{at} to {to}{whose}")
    left = len(ends) - _MOST_NAMED
    parts += [f"on in {left:,} more series"] if left > 0 else []
    start = f"from {setting_in_words(over, *firsts)} on, " if len(firsts) == 1 else ""
    return f"{start}the {lowered(found.metric.label)} before {goes} {listing(parts)}"

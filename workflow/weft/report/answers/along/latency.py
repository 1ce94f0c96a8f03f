"""How a latency grows while the network keeps up with its load."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from weft.analysis.findings import Value
from weft.report.answers.along.series import AxisSeries, axis_series
from weft.report.answers.amounts import SATURATED
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.data.settings_in_words import lowered, setting_in_words
from weft.report.data.units import listing, quantity, value_label

Curve = Mapping[float, Value]
#: The first load, its value, the last load, its value.
Ends = tuple[float, float, float, float]
#: A sentence names so many series.
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class LatencyAsk(SeriesAsk):
    """The latency along the loads that each network keeps up with."""

    def sentences(self, page: PageSources) -> list[str]:
        """The first and the last value of each series, in a sentence for each place beside the
        loads; nothing of series with one value."""
        found = axis_series(page.study, self)
        if found is None:
            return []
        states = axis_series(page.study, replace(self, of=SATURATED))
        beyond = states.numbered() if states else {}
        sentences = []
        for settings, curves in found.numbered().items():
            kept = {
                label: _before(curve, beyond.get(settings, {}).get(label, {}))
                for label, curve in curves.items()
            }
            ends = {label: _ends(curve) for label, curve in kept.items() if len(curve) > 1}
            if ends:
                sentences.append(found.sentence(settings, _text(found, ends, len(curves) > 1)))
        return sentences


def _before(curve: Curve, saturated: Curve) -> Curve:
    """The values below the first load at which some replicate saturates: those of the others say
    less than the truth there."""
    first = min((x for x, value in saturated.items() if value.mean > 0), default=math.inf)
    return {x: value for x, value in curve.items() if x < first}


def _ends(curve: Curve) -> Ends:
    (first, low), *_, (last, high) = sorted((x, value.mean) for x, value in curve.items())
    return first, low, last, high


def _text(found: AxisSeries, ends: Mapping[str, Ends], are_several: bool) -> str:
    unit, over = found.metric.unit, found.over
    goes = "rises" if all(high > low for _, low, _, high in ends.values()) else "goes"
    is_shared = len({first for first, *_ in ends.values()}) == 1
    parts: list[str] = []
    for label, (first, low, last, high) in [*ends.items()][:_MOST_NAMED]:
        at = "" if is_shared and parts else f" at {setting_in_words(over, first)}"
        whose = f" ({label})" if are_several else ""
        to = f"{quantity(high, unit)} at {value_label(over, last)}"
        parts.append(f"from {quantity(low, unit)}{at} to {to}{whose}")
    left = len(ends) - _MOST_NAMED
    parts += [f"on in {left:,} more series"] if left > 0 else []
    what = lowered(found.metric.label)
    return f"while the network keeps up, the {what} {goes} {listing(parts)}"

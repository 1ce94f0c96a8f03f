"""When most ports had waiting packets, or how often links pulse, in a sentence."""

from __future__ import annotations

from statistics import fmean

from weft.config.model.figures import Timeline
from weft.report.data.point_groups import of_panel
from weft.report.data.series_values import ANSWER
from weft.report.data.source import Study
from weft.report.data.units import quantity
from weft.report.kinds.timeline.pulses import pulse_findings
from weft.report.kinds.timeline.rows import timeline_data

#: So many series of a figure have a sentence.
_MOST = 3


def timeline_findings(study: Study, figure: Timeline) -> list[str]:
    """The pulses of links, where the figure asks for them; the peaks of the congestion ratio."""
    if figure.pulses:
        return pulse_findings(study, figure)
    if figure.graph != "congestion_ratio":
        return []
    series: dict[tuple[str | None, str], list[tuple[float, float]]] = {}
    for one in timeline_data(study, figure).values:
        if one.kind == ANSWER and one.value is not None:
            series.setdefault((one.panel, one.series), []).append((one.value, one.time_s))
    return [
        of_panel(
            panel,
            f"the share of ports at which packets wait is highest {quantity(at_s, 's')} after the"
            f" start, {top:.0%}; its mean over time is {fmean(value for value, _ in shares):.0%}.",
        )
        for (panel, _), shares in list(series.items())[:_MOST]
        for top, at_s in [max(shares, key=lambda each: each[0])]
    ]

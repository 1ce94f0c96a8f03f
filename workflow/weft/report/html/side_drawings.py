"""Figures of side tables as they stand on a page: timelines and rankings of ports."""

from __future__ import annotations

import math

from weft.report.data.congestion import MAX_PANELS, rankings, rankings_csv
from weft.report.data.figures import Figure
from weft.report.data.source import Study
from weft.report.data.timelines import timeline_data
from weft.report.data.titles import title
from weft.report.draw.timeline_charts import congestion_charts, timeline_charts
from weft.report.html.render import Drawing, Panel


def timeline_drawing(study: Study, figure: Figure, number: str) -> Drawing:
    """A statistic over time, a panel for each setting where its series have classes."""
    data = timeline_data(study, figure)
    whole = data if data.gathered == 1 else timeline_data(study, figure, most=math.inf)
    drawing = Drawing(number, title(study, figure), notes=data.notes, csv=whole.csv())
    if not data.rows:
        drawing.notes = [f"No values of {data.label.lower()} yet."]
        return drawing
    drawing.panels = [
        Panel(f"{number}-{i}", *panel) for i, panel in enumerate(timeline_charts(data), 1)
    ]
    drawing.legend = len({row["series"] for row in data.rows}) > 1
    return drawing


def congestion_drawing(study: Study, figure: Figure, number: str) -> Drawing:
    """The worst ports of each setting."""
    found = rankings(study, figure)
    drawing = Drawing(number, title(study, figure))
    if not any(ranking.rows for ranking in found):
        drawing.notes = ["No packet had to wait." if found else "No values of congestion yet."]
        return drawing
    drawing.csv = rankings_csv(found)
    drawing.panels = [
        Panel(f"{number}-{i}", *panel)
        for i, panel in enumerate(congestion_charts(found, figure.free), 1)
    ]
    most = max(ranking.waiting for ranking in found)
    drawing.notes = [
        f"The first {min(figure.count, most)} of {most:,} ports at which a packet's head waited,"
        " by the time in which one did."
    ]
    if len(found) == MAX_PANELS:
        drawing.notes = [*drawing.notes, f"At most {MAX_PANELS} settings are drawn."]
    return drawing

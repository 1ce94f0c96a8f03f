"""Timelines: a statistic of the network over simulated time."""

from __future__ import annotations

from weft.config.model.figures import Timeline
from weft.report.data.source import Study
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.kinds.timeline.charts import timeline_charts
from weft.report.kinds.timeline.finding import timeline_findings
from weft.report.kinds.timeline.rows import GRAPHS, TimelineData, timeline_with_all


def _title(_: Study, figure: Timeline) -> str:
    return f"{GRAPHS[figure.graph][1]} over time"


def _hints(figure: Timeline) -> list[str]:
    end = f" to {figure.end:g} s" if figure.end else ""
    cut = figure.end is not None or figure.start
    return [", ".join(figure.labels or ()), f"from {figure.start:g} s{end}" if cut else ""]


def _charts(data: TimelineData, _: Palette) -> list[Chart]:
    return timeline_charts(data)


KIND = Kind(Timeline, timeline_with_all, _title, _charts, hints=_hints, finding=timeline_findings)

"""Rankings of the router ports at which packets waited longest."""

from __future__ import annotations

from weft.config.model.figures import Congestion
from weft.report.data.congestion import Rankings, rankings
from weft.report.data.source import Study
from weft.report.draw.congestion_bars import congestion_charts
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette


def _title(_study: Study, _figure: Congestion) -> str:
    return "Ports at which packets waited longest"


def _charts(data: Rankings, _: Palette) -> list[Chart]:
    return congestion_charts(data.found, bool(data.figure.free))


KIND = Kind(Congestion, rankings, _title, _charts)

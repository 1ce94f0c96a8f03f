"""Heat maps: a metric, or the ratio of two engines' answers, in every cell."""

from __future__ import annotations

from weft.config.model.figures import Map
from weft.report.data.source import Study
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind, metric_title
from weft.report.draw.palette import Palette
from weft.report.kinds.map.charts import map_charts
from weft.report.kinds.map.finding import map_findings
from weft.report.kinds.map.rows import MapData, map_data


def _title(study: Study, figure: Map) -> str:
    return metric_title(study, figure.value, figure.x, figure.of, figure.to)


def _charts(data: MapData, _: Palette) -> list[Chart]:
    return map_charts(data)


KIND = Kind(Map, map_data, _title, _charts, finding=map_findings, answers_alone=True)

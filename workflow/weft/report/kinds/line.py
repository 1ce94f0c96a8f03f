"""Line figures: a series for each engine and colour."""

from __future__ import annotations

from weft.config.model.figures import Line
from weft.report.curves.charts import charts
from weft.report.curves.rows import figure_data
from weft.report.data.source import Study
from weft.report.draw.kind import Kind, metric_title


def _title(study: Study, figure: Line) -> str:
    return metric_title(study, figure.y, figure.x, None, None)


def _hints(figure: Line) -> list[str]:
    axes = [name for name, log in (("x", figure.log_x), ("y", figure.log_y)) if log]
    return [f"logarithmic {' and '.join(axes)}" if axes else ""]


KIND = Kind(Line, figure_data, _title, charts, hints=_hints)

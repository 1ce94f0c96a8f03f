"""Bar figures: values side by side."""

from __future__ import annotations

from weft.config.model.figures import Bar
from weft.report.curves.charts import charts
from weft.report.curves.rows import figure_data
from weft.report.data.source import Study
from weft.report.draw.kind import Kind, metric_title


def _title(study: Study, figure: Bar) -> str:
    return metric_title(study, figure.y, figure.x, None, None)


def _hints(figure: Bar) -> list[str]:
    return ["logarithmic y" if figure.log_y else ""]


KIND = Kind(Bar, figure_data, _title, charts, hints=_hints)

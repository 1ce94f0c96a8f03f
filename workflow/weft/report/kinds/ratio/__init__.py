"""Ratio figures: how far one engine is from another."""

from __future__ import annotations

from weft.config.model.figures import Ratio
from weft.report.data.source import Study
from weft.report.draw.kind import Kind, metric_title
from weft.report.kinds.ratio.charts import ratio_charts
from weft.report.kinds.ratio.rows import ratio_data


def _title(study: Study, figure: Ratio) -> str:
    return metric_title(study, figure.y, figure.x, ", ".join(figure.divided), figure.to)


def _hints(figure: Ratio) -> list[str]:
    return ["logarithmic x" if figure.log_x else ""]


KIND = Kind(Ratio, ratio_data, _title, ratio_charts, hints=_hints)

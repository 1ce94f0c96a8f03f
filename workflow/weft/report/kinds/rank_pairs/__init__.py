"""Maps of what ranks send to each other."""

from __future__ import annotations

from weft.config.model.program_figures import RankPairs
from weft.report.data.source import Study
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.kinds.rank_pairs.charts import pair_charts
from weft.report.kinds.rank_pairs.finding import exchange_findings
from weft.report.kinds.rank_pairs.rows import Matrices, matrices


def _title(_study: Study, figure: RankPairs) -> str:
    return f"{figure.of.capitalize()} from rank to rank"


def _charts(data: Matrices, _: Palette) -> list[Chart]:
    return pair_charts(data)


KIND = Kind(RankPairs, matrices, _title, _charts, finding=exchange_findings)

"""Lanes of ranks: what each does over time."""

from __future__ import annotations

from weft.config.model.program_figures import RankTimeline
from weft.report.data.program_course import ProgramCourse, rank_timeline
from weft.report.data.source import Study
from weft.report.draw.course_charts import lanes
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette


def _title(_study: Study, _figure: RankTimeline) -> str:
    return "What ranks do over time"


def _charts(data: ProgramCourse, _: Palette) -> list[Chart]:
    return lanes(data)


KIND = Kind(RankTimeline, rank_timeline, _title, _charts)

"""Bars of what bounds the time of a program."""

from __future__ import annotations

from weft.config.model.program_figures import CriticalPath
from weft.report.data.program_course import ProgramCourse, critical_path
from weft.report.data.source import Study
from weft.report.draw.course_charts import path_bars
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette


def _title(_study: Study, _figure: CriticalPath) -> str:
    return "What bounds the time of the program"


def _charts(data: ProgramCourse, _: Palette) -> list[Chart]:
    return path_bars(data)


KIND = Kind(CriticalPath, critical_path, _title, _charts)

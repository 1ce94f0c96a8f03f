"""Bars of the calls in which the ranks of a program spend their time."""

from __future__ import annotations

from weft.config.model.program_figures import ProgramCalls
from weft.report.data.program_calls import Calls, call_times
from weft.report.data.source import Study
from weft.report.draw.call_bars import call_charts
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette


def _title(_study: Study, _figure: ProgramCalls) -> str:
    return "Time of the program's calls"


def _charts(data: Calls, _: Palette) -> list[Chart]:
    return call_charts(data)


KIND = Kind(ProgramCalls, call_times, _title, _charts)

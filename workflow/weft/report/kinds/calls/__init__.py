"""Bars of the calls in which the ranks of a program spend their time, and how long they wait."""

from __future__ import annotations

from weft.config.model.program_figures import ProgramCalls
from weft.report.data.source import Study
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.kinds.calls.charts import call_charts
from weft.report.kinds.calls.finding import call_findings
from weft.report.kinds.calls.rows import Calls, call_times


def _title(_study: Study, _figure: ProgramCalls) -> str:
    return "Time of the program's calls"


def _charts(data: Calls, _: Palette) -> list[Chart]:
    return call_charts(data)


KIND = Kind(ProgramCalls, call_times, _title, _charts, finding=call_findings)

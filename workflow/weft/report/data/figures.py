"""The figures of a page: those that its experiment asks for, else a sensible few."""

from __future__ import annotations

from collections.abc import Sequence

from weft.config.model.figure import Figure
from weft.config.model.figures import Line
from weft.report.data.axes import SIZE
from weft.report.data.metrics import leading
from weft.report.data.source import Study


def study_figures(study: Study) -> Sequence[Figure]:
    """The figures the experiment asks for, else a sensible few."""
    return study.plan.report.figures or default_figures(study)


def line(x: str, y: str, *, log: bool = False) -> Line:
    """A line figure that no file asks for; `log` is for both axes."""
    return Line(x=x, y=y, log_x=log, log_y=log)


def default_figures(study: Study) -> list[Line]:
    """What a report shows when its experiment names no figures."""
    figures = []
    for name in leading(study.answered):
        sizes = study.answered[name] > 1
        x = SIZE if sizes else next(iter(study.swept), "engine")
        figures.append(line(x, name, log=sizes))
    return figures

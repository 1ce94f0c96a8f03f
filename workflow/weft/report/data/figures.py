"""What `figures:` of an experiment ask for, as its plan keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.config.model.figures import FIGURES, Figure, Line
from weft.report.data.metrics import leading
from weft.report.data.source import SIZE, Study


def parse_figures(report: Mapping[str, Any]) -> list[Figure]:
    """The figures of a plan's `report`, whose keys are columns and whose numbers are SI."""
    return [
        _figure(kind, fields)
        for entry in report.get("figures") or []
        for kind, fields in entry.items()
    ]


def _figure(kind: str, fields: Mapping[str, Any]) -> Figure:
    # They were checked before the plan was written: a validator would ask for units again.
    size = {"x": SIZE} if fields.get("x") == f"workload.{SIZE}" else {}
    return FIGURES[kind].model_construct(**{**fields, **size})


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

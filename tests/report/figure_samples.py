"""Figures of invented answers: a value for each setting, drawn as a page would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from packet_samples import stored, value
from report_samples import CONFIGS, make_plan, point, run
from weft.plan import Plan
from weft.report.data.source import open_study
from weft.report.draw.drawing import Drawing
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawings

Answer = tuple[str, Mapping[str, Any], str, float]


def answered(
    folder: Path, figures: Sequence[dict[str, Any]], answers: Sequence[Answer], unit: str = "1"
) -> tuple[Path, Path]:
    """A database of `answers`: engine, settings, metric and value."""
    points, metrics = {}, []
    for engine, where, metric, number in answers:
        at = point(
            engine, where, {"topology": {"kind": "torus"}, "options": {"asked": dict(where)}}
        )
        points[at.point_id] = at
        metrics.append(value(at, metric, number, unit))
    plan: Plan = make_plan("figures", list(points.values()), list(figures))
    return stored(folder, plan, metrics, [run(at) for at in points.values()])


def drawn(
    folder: Path, figures: Sequence[dict[str, Any]], answers: Sequence[Answer], unit: str = "1"
) -> list[Drawing]:
    """The `figures` of `answers`."""
    with open_study(*answered(folder, figures, answers, unit), CONFIGS) as study:
        return figure_drawings(study, study.plan.report.figures, Palette())


def encoding(drawing: Drawing, panel: int = 0) -> dict[str, Any]:
    """The encoding of the first layer of a panel."""
    found: dict[str, Any] = drawing.panels[panel].spec["layer"][0]["encoding"]
    return found

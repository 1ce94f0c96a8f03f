"""Figures and the error panel as drawings and tables of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weft.analysis.comparison import Comparison
from weft.report.answers.wording import place
from weft.report.data.figures import Figure
from weft.report.data.flagged import MARK
from weft.report.data.map_cells import map_data
from weft.report.data.references import named
from weft.report.data.series import FigureData, figure_data
from weft.report.data.source import Row, Study
from weft.report.data.titles import title
from weft.report.data.units import (
    in_unit,
    key_label,
    quantity,
    scale_for,
    settings_label,
    short,
    spread,
    titled,
)
from weft.report.draw.charts import charts
from weft.report.draw.heatmap import map_charts
from weft.report.draw.palette import Palette
from weft.report.draw.ratios import ratio_chart, ratio_panels
from weft.report.html.render import Drawing, Panel
from weft.report.html.side_drawings import congestion_drawing, timeline_drawing

_MAX_TABLE = 200


def figure_drawing(study: Study, figure: Figure, number: str, palette: Palette) -> Drawing:
    """One entry of `figures:` as it stands on the page."""
    if figure.kind == "ratio":
        return _ratio(study, figure, number, palette)
    if figure.kind == "map":
        return _map(study, figure, number)
    if figure.kind == "timeline":
        return timeline_drawing(study, figure, number)
    if figure.kind == "congestion":
        return congestion_drawing(study, figure, number)
    data = figure_data(study, figure)
    drawing = Drawing(number, title(study, figure), notes=data.notes, csv=data.csv())
    if not data.rows:
        drawing.notes = [f"No values of {data.label.lower()} yet."]
    elif figure.kind == "table":
        drawing.table = _table(data)
    else:
        drawing.panels = [
            Panel(f"{number}-{i}", name, spec)
            for i, (name, spec) in enumerate(charts(data, palette), 1)
        ]
        drawing.legend = len({row["series"] for row in data.rows}) > 1
    return drawing


def _ratio(study: Study, figure: Figure, number: str, palette: Palette) -> Drawing:
    found = named(study, figure)
    drawing = Drawing(number, title(study, figure), csv=ratio_csv(study, found))
    if not any(r.coordinates.get(figure.x) is not None for c in found for r in c.shown):
        drawing.notes = [f"{figure.of} and {figure.to} have no values in common yet."]
        return drawing
    panels, drawing.notes = ratio_panels(study, figure, found, palette)
    drawing.panels = [Panel(f"{number}-{i}", *panel) for i, panel in enumerate(panels, 1)]
    drawing.legend = "padding" not in panels[0][1]
    return drawing


def _map(study: Study, figure: Figure, number: str) -> Drawing:
    data = map_data(study, figure)
    drawing = Drawing(number, title(study, figure), csv=data.csv(), legend=False)
    if not data.cells:
        drawing.notes = [f"No values of {data.label.lower()} yet."]
        return drawing
    if figure.within is not None:
        close = sum(map(data.agrees, data.cells))
        drawing.notes = [
            f"Grey: within {figure.within:.0%} of 1 ({close:,} of {len(data.cells):,} cells);"
            f" blue: {figure.of} is lower, orange: higher."
        ]
    drawing.panels = [
        Panel(f"{number}-{i}", name, spec) for i, (name, spec) in enumerate(map_charts(data), 1)
    ]
    return drawing


def ratio_csv(study: Study, found: Sequence[Comparison]) -> str:
    """Ratios as CSV, values in stored units."""
    lines = ["metric,of,to,at,value,reference,ratio"]
    lines += [
        f'{c.metric},"{c.of}","{c.to}","{settings_label(place(study, r.coordinates))}",'
        f"{r.of!r},{r.to!r},{r.ratio:.6g}"
        for c in found
        for r in c.ratios
    ]
    return "\n".join(lines) + "\n"


def _table(data: FigureData) -> Mapping[str, Any]:
    """x (and row) downwards, series across."""
    figure, scale = data.figure, scale_for(data.unit, [row["y"] for row in data.rows])
    series = list(dict.fromkeys(row["series"] for row in data.rows))
    cells: dict[tuple[object, object], dict[str, str]] = {}
    for row in data.rows:
        text = short(row["y"] / scale.factor)
        if row["low"] is not None:
            half = (row["high"] - row["low"]) / 2
            text = spread(row["y"] / scale.factor, half / scale.factor)
        text += MARK if row.get("flagged") else ""
        cells.setdefault((row["panel"], row["x"]), {})[row["series"]] = text
    keys = [key for key in (figure.row, figure.x) if key]
    units = {key: data.scales.get(key) for key in keys}
    ordered = sorted(cells, key=_order)
    return {
        "heads": [titled(key_label(key), units[key]) for key in keys],
        "series": [titled(name, scale) for name in series],
        "rows": [
            {
                "heads": [
                    in_unit(key, value, units[key])
                    for key, value in zip(keys, at[-len(keys) :], strict=True)
                ],
                "cells": [cells[at].get(name, "–") for name in series],
            }
            for at in ordered[:_MAX_TABLE]
        ],
        "left": max(0, len(ordered) - _MAX_TABLE),
    }


def _order(at: tuple[object, object]) -> tuple[str, bool, Any]:
    panel, x = at
    return str(panel), isinstance(x, str), x


def comparison_row(study: Study, c: Comparison) -> Row:
    """One line of the error panel's table."""
    unit = study.metrics[c.metric].unit
    return {
        "metric": study.metrics[c.metric].label,
        "of": c.of,
        "to": c.to,
        "matched": c.matched,
        "coverage": f"{100 * c.coverage:.0f} %",
        "bias": c.geometric_mean,
        "median": c.median_factor,
        "max": c.max_factor,
        "where": settings_label(place(study, c.worst.coordinates)) or "–",
        "worst": f"{quantity(c.worst.of, unit)} against {quantity(c.worst.to, unit)}",
    }


def error_drawings(
    study: Study, figures: Sequence[Figure], found: Sequence[Comparison], palette: Palette
) -> list[Drawing]:
    """One ratio chart per metric, unless the experiment draws that ratio itself."""
    asked = {figure.y for figure in figures if figure.kind == "ratio" and named(study, figure)}
    drawings = []
    for number, metric in enumerate(dict.fromkeys(c.metric for c in found), 1):
        mine = [c for c in found if c.metric == metric]
        if metric in asked and len(mine) == 1:
            continue
        figure = next((f for f in figures if f.y == metric), None)
        spec = ratio_chart(study, figure, mine, palette) if figure else None
        identifier = f"error-{number}"
        label = f"{study.metrics[metric].label} divided by its reference"
        drawing = Drawing(identifier, label, csv=ratio_csv(study, mine))
        drawing.panels = [Panel(f"{identifier}-1", None, spec)] if spec else []
        drawings.append(drawing)
    return drawings

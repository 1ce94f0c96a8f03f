"""Tables: the numbers themselves."""

from __future__ import annotations

from collections.abc import Mapping

from weft.config.model.figures import Table
from weft.report.curves.rows import FigureData, figure_data
from weft.report.data.flagged import mark
from weft.report.data.source import Study
from weft.report.data.units import in_unit, key_label, scale_for, short, spread, titled
from weft.report.draw.kind import Kind, metric_title

_MAX_ROWS = 200


def _title(study: Study, figure: Table) -> str:
    return metric_title(study, figure.y, figure.x, None, None)


def _table(data: FigureData) -> Mapping[str, object]:
    """x (and row) downwards, series across."""
    figure, scale = data.figure, scale_for(data.unit, [row.y for row in data.rows])
    series = list(dict.fromkeys(row.series for row in data.rows))
    cells: dict[tuple[object, object], dict[str, str]] = {}
    for row in data.rows:
        text = short(row.y / scale.factor)
        if row.low is not None and row.high is not None:
            half = (row.high - row.low) / 2
            text = spread(row.y / scale.factor, half / scale.factor)
        text += mark(row.flag)
        cells.setdefault((row.panel, row.x), {})[row.series] = text
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
            for at in ordered[:_MAX_ROWS]
        ],
        "left": max(0, len(ordered) - _MAX_ROWS),
    }


def _order(at: tuple[object, object]) -> tuple[str, bool, object]:
    panel, x = at
    return str(panel), isinstance(x, str), x


KIND = Kind(Table, figure_data, _title, table=_table)

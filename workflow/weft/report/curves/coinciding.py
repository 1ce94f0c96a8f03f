"""Series that coincide in a figure, so that only one of them is visible."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from weft.config.model.figures import Line
from weft.report.curves.log_axes import log_y
from weft.report.data.series_values import SeriesValue
from weft.report.data.source import Study
from weft.report.data.units import key_label, listing, value_label

#: Series coincide if they are closer than this share of the axis, about the width of a line.
_NEAR = 0.005
_MOST = 4


def coinciding(study: Study, figure: Line, rows: Sequence[SeriesValue]) -> list[str]:
    """`flow and packet coincide.`, with the panels in which they do if not in all."""
    panels = list(dict.fromkeys(row.panel for row in rows))
    log = log_y(figure, rows)
    span = _span(rows, log)
    found: dict[tuple[str, ...], list[object]] = {}
    for panel in panels:
        for group in _groups([row for row in rows if row.panel == panel], log, span):
            found.setdefault(group, []).append(panel)
    texts = [
        f"{listing(group)} coincide{_at(study, figure, here) if len(here) < len(panels) else ''}."
        for group, here in found.items()
    ]
    left = len(texts) - _MOST
    more = [f"So do {left:,} more groups of series." if left > 1 else texts[-1]] if left > 0 else []
    return [*texts[:_MOST], *more]


def _span(rows: Sequence[SeriesValue], log: bool) -> float:
    values = [_place(row.y, log) for row in rows]
    return max(values) - min(values) if values else 0.0


def _place(value: float, log: bool) -> float:
    return math.log(value) if log and value > 0 else value


def _groups(rows: Sequence[SeriesValue], log: bool, span: float) -> list[tuple[str, ...]]:
    """Series with the same values at the same places, in the order of the figure."""
    curves: dict[str, dict[object, float]] = {}
    for row in rows:
        curves.setdefault(row.series, {})[row.x] = _place(row.y, log)
    groups: list[list[str]] = []
    for name, curve in curves.items():
        mine = next((g for g in groups if _same(curves[g[0]], curve, _NEAR * span)), None)
        if mine:
            mine.append(name)
        else:
            groups.append([name])
    return [tuple(group) for group in groups if len(group) > 1]


def _same(one: Mapping[object, float], other: Mapping[object, float], near: float) -> bool:
    """Whether two curves have the same places, more than one, and nearly the same values."""
    return (
        len(one) > 1
        and one.keys() == other.keys()
        and all(abs(one[x] - other[x]) <= near for x in one)
    )


def _at(study: Study, figure: Line, panels: Sequence[object]) -> str:
    key = figure.row or ""
    label = key_label(key)[:1].lower() + key_label(key)[1:]
    return f" at {label} = {listing(value_label(key, p, study.scales.get(key)) for p in panels)}"

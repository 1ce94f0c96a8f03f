"""Where a figure has no value because the network was saturated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.config.model.figures import Curves
from weft.report.curves.answers import Missing
from weft.report.data.series_values import SeriesValue
from weft.report.data.source import Study
from weft.report.data.units import listing, place_label, value_label

_MOST = 12


def with_ends(rows: Sequence[SeriesValue], lacking: Missing) -> list[SeriesValue]:
    """Answers; the last one of a series that goes no further gets the mark `ends`."""
    last: dict[int, bool] = {}
    for where, xs in lacking.items():
        mine = [row for row in rows if (row.panel, row.series) == where]
        numbers = {id(row): row.x for row in mine if isinstance(row.x, int | float)}
        missing = [x for x in xs if isinstance(x, int | float)]
        if mine and len(numbers) == len(mine) and len(missing) == len(xs):
            end = max(numbers, key=lambda row: numbers[row])
            last[end] = numbers[end] < min(missing)
    return [replace(row, ends=last[id(row)]) if id(row) in last else row for row in rows]


def saturation_notes(
    study: Study, figure: Curves, rows: Sequence[SeriesValue], lacking: Missing
) -> list[str]:
    """`Saturated, so without mean packet latency: mesh from 0.45`; none where nothing is missing.

    `rows` are the answers that the figure shows.
    """
    if not lacking:
        return []
    parts = []
    for (panel, series), xs in lacking.items():
        shown = [row.x for row in rows if (row.panel, row.series) == (panel, series)]
        name = series if figure.row is None else f"{place_label(figure.row, panel)} ({series})"
        parts.append(f"{name} {_where(figure.x, xs, shown)}")
    label = study.metrics[figure.y].label
    more = [f"and {len(parts) - _MOST:,} more"] if len(parts) > _MOST else []
    return [
        f"Saturated, so without {label[:1].lower() + label[1:]}: "
        f"{'; '.join([*parts[:_MOST], *more])}."
        + (" Arrows mark the last values before." if any(row.ends for row in rows) else "")
    ]


def _where(x: str, xs: Sequence[object], shown: Sequence[object]) -> str:
    numbers = [value for value in (*xs, *shown) if isinstance(value, int | float)]
    if len(numbers) == len(xs) + len(shown):
        first = sorted(numbers[: len(xs)])[0]
        if len(xs) > 1 and all(value < first for value in numbers[len(xs) :]):
            return f"from {value_label(x, first)}"
    return f"at {listing(value_label(x, value) for value in xs)}"

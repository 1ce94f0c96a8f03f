"""Where a figure has no value because the network was saturated."""

from __future__ import annotations

from collections.abc import Sequence

from weft.config.model.figures import Curves
from weft.report.data.series_names import Naming
from weft.report.data.settings import place
from weft.report.data.source import Row, Study
from weft.report.data.units import listing, value_label

SATURATED = "saturated"
_MOST = 12


def left_out(study: Study, figure: Curves, naming: Naming, rows: Sequence[Row]) -> str | None:
    """`Saturated, so without mean packet latency: mesh from 0.45`; none where nothing is missing.

    `rows` are what the figure shows, before values of others are added. The last one of a series
    that goes no further gets the mark `ends`.
    """
    if figure.y == SATURATED or SATURATED not in study.answered:
        return None
    keys = list(dict.fromkeys([k for k in (figure.row, figure.x) if k] + [*naming.names]))
    drawn = {place(row, keys) for row in study.groups(figure.y, keys, figure.where)}
    missing: dict[tuple[object, str], list[object]] = {}
    for row in naming.ordered(study.groups(SATURATED, keys, figure.where)):
        if row["mean"] > 0 and row[figure.x] is not None and place(row, keys) not in drawn:
            panel = row[figure.row] if figure.row else None
            missing.setdefault((panel, naming.label(row)), []).append(row[figure.x])
    if not missing:
        return None
    parts = []
    for (panel, series), xs in missing.items():
        mine = [r for r in rows if (r["panel"], r["series"]) == (panel, series)]
        shown = [r["x"] for r in mine]
        _mark_end(mine, xs)
        name = series if figure.row is None else f"{value_label(figure.row, panel)} ({series})"
        parts.append(f"{name} {_where(figure.x, xs, shown)}")
    label = study.metrics[figure.y].label
    more = [f"and {len(parts) - _MOST:,} more"] if len(parts) > _MOST else []
    return (
        f"Saturated, so without {label[:1].lower() + label[1:]}: "
        f"{'; '.join([*parts[:_MOST], *more])}."
        + (" Arrows mark the last values before." if any(row.get("ends") for row in rows) else "")
    )


def _mark_end(rows: Sequence[Row], missing: Sequence[object]) -> None:
    """Mark the last of `rows`, if all that is missing lies beyond it."""
    if all(isinstance(x, int | float) for x in (*missing, *(row["x"] for row in rows))) and rows:
        last = max(rows, key=lambda row: row["x"])
        last["ends"] = last["x"] < min(missing)  # type: ignore[type-var]


def _where(x: str, xs: Sequence[object], shown: Sequence[object]) -> str:
    numbers = [value for value in (*xs, *shown) if isinstance(value, int | float)]
    if len(numbers) == len(xs) + len(shown):
        first = sorted(numbers[: len(xs)])[0]
        if len(xs) > 1 and all(value < first for value in numbers[len(xs) :]):
            return f"from {value_label(x, first)}"
    return f"at {listing(value_label(x, value) for value in xs)}"

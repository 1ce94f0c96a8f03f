"""Figures of ratios: what was divided, as series and panels, and how it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from weft.analysis.comparison import Comparison, canonical
from weft.report.answers.wording import place
from weft.report.data.figures import Figure
from weft.report.data.flagged import hollowed, note
from weft.report.data.series_names import split
from weft.report.data.settings import VARIANT
from weft.report.data.source import Row, Study
from weft.report.data.units import key_label, series_label, settings_label
from weft.report.draw.axes import Across, across
from weft.report.draw.charts import drawn_from, finish, panel_height
from weft.report.draw.palette import Palette
from weft.report.draw.series_looks import Looks, encodings, filtering


def ratio_panels(
    study: Study, figure: Figure, found: Sequence[Comparison], palette: Palette
) -> tuple[list[tuple[str | None, dict[str, Any]]], list[str]]:
    """The charts of a `ratio` figure with their names, and what is to be said below them.

    Series are told apart as those of lines are; both sides of a ratio agree in these settings.
    """
    rows, notes = _series(study, figure, found)
    title = _pair(found[0]) if _alone(found) else "Ratio"
    looks = encodings(rows, palette)
    panels = list(dict.fromkeys(row["panel"] for row in rows))
    charts: list[tuple[str | None, dict[str, Any]]] = []
    for panel in panels:
        shown = [row for row in rows if row["panel"] == panel]
        labelled = not charts and not (len(looks.names) == 1 and _alone(found))
        spec = ratio_spec(
            _ranges(figure, shown if figure.free else rows), shown, title,
            looks if labelled else looks.unlabelled(),
        )  # fmt: skip
        name = settings_label([(figure.row, panel)], study.scales) if figure.row else None
        charts.append((name, spec | {"height": panel_height(len(panels))}))
    return charts, notes


def ratio_chart(
    study: Study, figure: Figure, found: Sequence[Comparison], palette: Palette
) -> dict[str, Any] | None:
    """Ratios over the figure's x, a series for each comparison; none where no ratio has an x."""
    rows = [row for c in found for row in _rows(study, figure.x, c)]
    if not rows:
        return None
    return ratio_spec(_ranges(figure, rows), rows, "Ratio", encodings(rows, palette))


def _rows(study: Study, x: str, c: Comparison) -> list[Row]:
    return [
        {
            "series": _pair(c),
            "x": r.coordinates[x],
            "y": r.ratio,
            "kind": "answer",
            "at": settings_label(place(study, r.coordinates)),
            "flagged": True if r.flagged else None,
        }
        for r in c.shown
        if r.coordinates.get(x) is not None
    ]


def _series(
    study: Study, figure: Figure, found: Sequence[Comparison]
) -> tuple[list[Row], list[str]]:
    """Rows with `series` and `panel`, in planned order."""
    naming, left = split(study, figure)
    # Engine, variant and options are in the names of what is divided.
    keys = [
        k for k in naming.names if k not in ("engine", VARIANT) and not k.startswith("options.")
    ]
    mine = naming.by_engine.get(str(figure.of), naming.names)
    keys = [key for key in keys if key in mine]
    rows: list[tuple[list[int], Row]] = []
    for c in found:
        for row, ratio in zip(_rows(study, figure.x, c), _usable(figure.x, c), strict=True):
            at = ratio.coordinates
            parts = [] if _alone(found) and keys else [_pair(c)]
            named = (
                [series_label(keys, at, study.scales)]
                if any(at.get(k) is not None for k in keys)
                else []
            )
            row["series"] = " · ".join([*parts, *named]) or _pair(c)
            row["panel"] = at.get(figure.row) if figure.row else None
            order = [figure.row, *keys] if figure.row else keys
            rows.append(([_rank(study, key, at.get(key)) for key in order], row))
    rows.sort(key=lambda each: each[0])
    names = ", ".join(key_label(key).lower() for key in left)
    notes = [f"Marks of one series at the same place differ in {names}."] if left else []
    found_rows = [row for _, row in rows]
    return found_rows, [*notes, *note(found_rows)]


def _usable(x: str, c: Comparison) -> list[Any]:
    return [ratio for ratio in c.shown if ratio.coordinates.get(x) is not None]


def _rank(study: Study, key: str, value: object) -> int:
    known = [canonical(each) for each in study.values.get(key, ())]
    return known.index(canonical(value)) if canonical(value) in known else len(known)


def _pair(c: Comparison) -> str:
    return f"{c.of} ÷ {c.to}"


def _alone(found: Sequence[Comparison]) -> bool:
    return len({_pair(c) for c in found}) == 1


@dataclass(frozen=True, slots=True)
class Ranges:
    """The axes of panels: x, and how far from 1 the ratios reach."""

    across: Across
    widest: float


def _ranges(figure: Figure, rows: Sequence[Row]) -> Ranges:
    return Ranges(across(figure.x, [row["x"] for row in rows], figure.log_x), _widest(rows))


def ratio_spec(ranges: Ranges, rows: Sequence[Row], title: str, looks: Looks) -> dict[str, Any]:
    """Marks around a line at 1."""
    widest = ranges.widest
    rows = [ranges.across.scaled(row) for row in rows]
    scale = alt.Scale(type="log", domain=[1 / widest, widest], nice=False)
    axis = alt.Axis(title=title, values=_ticks(widest)) if widest < 2 else alt.Axis(title=title)
    vertical = alt.Y("y:Q", axis=axis, scale=scale)
    base = drawn_from(rows)
    line = base.mark_rule(strokeDash=[4, 4], opacity=0.6, color="currentColor")
    points = base.mark_point(filled=True, size=55, opacity=1).encode(
        x=ranges.across.encoding(),
        y=vertical,
        color=looks.colour,
        shape=looks.shape,
        tooltip=[
            alt.Tooltip("series:N", title="Ratio of" if title == "Ratio" else "Series"),
            alt.Tooltip("at:N", title="At"),
            alt.Tooltip("y:Q", title="Ratio", format=".4~g"),
        ],
    )
    first, *others = hollowed(points, rows)
    return finish([filtering(first), *others, line.encode(y=alt.datum(1))], rows)


def _widest(rows: Sequence[Row]) -> float:
    factors = [max(float(row["y"]), 1 / float(row["y"])) for row in rows]
    return float(max(1.05, *factors) ** 1.08)


def _ticks(widest: float) -> list[float]:
    """Round values on both sides of 1; a logarithmic axis labels few within less than a decade."""
    span = widest - 1 / widest
    step = next((step for step in (0.01, 0.02, 0.05, 0.1) if span / step < 12), 0.2)
    ends = range(math.ceil(1 / widest / step), math.floor(widest / step) + 1)
    return [round(step * number, 2) for number in ends]

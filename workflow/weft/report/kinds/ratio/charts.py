"""Ratios as Vega-Lite: marks around a line at 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from weft.report.data.series_values import SeriesValue
from weft.report.data.units import settings_label
from weft.report.draw.axes import Across, across
from weft.report.draw.charts import blank, finish, panel_height
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.hollow_marks import hollowed
from weft.report.draw.palette import Palette
from weft.report.draw.series_looks import Looks, encodings, filtering
from weft.report.kinds.ratio.rows import RatioData, ReferenceScatter


def ratio_charts(data: RatioData, palette: Palette) -> list[Chart]:
    """A specification per panel, with the panel's name; the first has the legend."""
    figure, rows = data.figure, data.drawn
    looks = encodings(rows, palette)
    panels = list(dict.fromkeys(row.panel for row in rows))
    charts: list[Chart] = []
    for panel in panels:
        shown = [row for row in rows if row.panel == panel]
        band = [row for row in data.scatter if row.panel == panel]
        ranges = _ranges(
            figure.x, data.log_x, *((shown, band) if figure.free else (rows, data.scatter))
        )
        labelled = not charts and data.legend
        named = looks if labelled else looks.unlabelled()
        spec = ratio_spec(ranges, shown, data.title, named, band)
        name = settings_label([(figure.row, panel)], data.scales) if figure.row else None
        charts.append((name, spec | {"height": panel_height(len(panels))}))
    return charts


def ratio_chart(x: str, log_x: bool, rows: Sequence[SeriesValue], palette: Palette) -> VegaLite:
    """Ratios over the key `x`, a series for each comparison."""
    return ratio_spec(_ranges(x, log_x, rows), rows, "Ratio", encodings(rows, palette))


@dataclass(frozen=True, slots=True)
class Ranges:
    """The axes of panels: x, and how far from 1 the ratios reach."""

    across: Across
    widest: float


def _ranges(
    x: str, log_x: bool, rows: Sequence[SeriesValue], scatter: Sequence[ReferenceScatter] = ()
) -> Ranges:
    # What judges nothing must not hide by how much the others differ.
    judging = [row.y for row in rows if not row.flag]
    reached = judging or [row.y for row in rows]
    reached += [end for band in scatter for end in (band.low, band.high)]
    xs = [*(row.x for row in rows), *(band.x for band in scatter)]
    return Ranges(across(x, xs, log_x), _widest(reached))


def ratio_spec(
    ranges: Ranges,
    rows: Sequence[SeriesValue],
    title: str,
    looks: Looks,
    scatter: Sequence[ReferenceScatter] = (),
) -> VegaLite:
    """Marks around a line at 1, over a band of `scatter`."""
    widest = ranges.widest
    drawn: list[VegaLite] = [
        {
            "series": row.series,
            "x": ranges.across.place(row.x),
            "y": row.y,
            "kind": row.kind,
            "at": row.at,
            "flag": row.flag,
        }
        for row in rows
    ]
    scale = alt.Scale(type="log", domain=[1 / widest, widest], nice=False)
    axis = alt.Axis(title=title, values=_ticks(widest)) if widest < 2 else alt.Axis(title=title)
    vertical = alt.Y("y:Q", axis=axis, scale=scale)
    base = blank()
    line = base.mark_rule(strokeDash=[4, 4], opacity=0.6, color="currentColor")
    points = base.mark_point(filled=True, size=55, opacity=1, clip=True).encode(
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
    if scatter:
        points = points.transform_filter("isValid(datum.y)")
    first, *others = hollowed(points, drawn)
    layers = [filtering(first), *others, line.encode(y=alt.datum(1))]
    if scatter:
        drawn += [
            {"x": ranges.across.place(band.x), "low": band.low, "high": band.high}
            for band in scatter
        ]
        layers.append(_band(base, ranges, scale))
    return finish(layers, drawn)


def _band(base: alt.Chart, ranges: Ranges, scale: alt.Scale) -> alt.Chart:
    """The band of repeated measurements, in the page's own colour."""
    area = base.mark_area(opacity=0.14, color="currentColor")
    ends = {"y": alt.Y("low:Q", scale=scale), "y2": "high:Q"}
    band: alt.Chart = area.encode(x=ranges.across.encoding(), **ends)
    return band.transform_filter("isValid(datum.low)")


def _widest(reached: Sequence[float]) -> float:
    factors = [max(float(y), 1 / float(y)) for y in reached]
    return float(max(1.05, *factors) ** 1.08)


def _ticks(widest: float) -> list[float]:
    """Round values on both sides of 1; a logarithmic axis labels few within less than a decade."""
    span = widest - 1 / widest
    step = next((step for step in (0.01, 0.02, 0.05, 0.1) if span / step < 12), 0.2)
    ends = range(math.ceil(1 / widest / step), math.floor(widest / step) + 1)
    return [round(step * number, 2) for number in ends]

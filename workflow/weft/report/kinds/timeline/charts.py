"""Timelines as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from weft.report.data.series_values import ANSWER
from weft.report.data.units import Scale, greatest, scale_for, titled
from weft.report.draw.axes import upwards
from weft.report.draw.charts import blank, finish, panel_height
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.palette import COLOURS, GREYS
from weft.report.draw.series_looks import filtering, legend_looks, squares
from weft.report.kinds.timeline.rows import TimelineData, TimelineValue

# From nothing, a breath of grey that suits light and dark pages, to everything.
_STEPS = (
    "rgba(128, 138, 128, 0.17)", "#b5d3ea", "#8fbbdd", "#67a3cf", "#4189be",
    "#5f8f4e", "#a8a03a", "#e0a52e", "#e8853a", "#c0450f",
)  # fmt: skip
#: Kinds that are drawn as another: over time, printed numbers make a line as well.
_LIKE = {"published": "derived"}
_SOLID, _DASHED = [1, 0], [4, 3]


def timeline_charts(data: TimelineData) -> list[Chart]:
    """A specification per panel, with the panel's name; the first has the legend of all."""
    found: list[Chart] = []
    time = _time(max(one.time_s for one in data.values))
    scale = greatest(data.unit, [one.value for one in data.values if one.value is not None])
    drawn = [_scaled(one, time, scale) for one in data.values]
    every = _axes(data, drawn, time)
    for panel in data.panels:
        rows = [row for row in drawn if row["panel"] == panel]
        axes = _axes(data, rows, time) if data.figure.free else every
        names = list(dict.fromkeys(row["series"] for row in drawn))
        title = titled(data.label, scale)
        spec = _timeline(data, rows, axes, names, title, labelled=not found)
        found.append((panel, spec | {"height": panel_height(len(data.panels))}))
    return found


@dataclass(frozen=True, slots=True)
class Axes:
    """What panels share: the time that they show, and their values' range."""

    across: alt.X
    upwards: VegaLite
    time: str


def _axes(data: TimelineData, rows: Sequence[VegaLite], time: Scale) -> Axes:
    """From the start that the figure asks for to its end, or that of our own answers."""
    figure, title = data.figure, titled("Time", time)
    last = max(float(row["x"]) for row in rows if row["kind"] == ANSWER)
    ends = [figure.start / time.factor, last if figure.end is None else figure.end / time.factor]
    axis = alt.Axis(title=title, labelOverlap="greedy", labelSeparation=8)
    across = alt.X("x:Q", axis=axis, scale=alt.Scale(zero=False, nice=False, domain=ends))
    if data.stacked:
        return Axes(across, {"domain": [0, 1], "nice": False}, title)
    return Axes(across, upwards([r for r in rows if r["y"] is not None], False, True), title)


def _time(end: float) -> Scale:
    """The largest unit in which the end of the time axis is at least 1."""
    return scale_for("s", [end])


def _timeline(
    data: TimelineData,
    rows: Sequence[VegaLite],
    axes: Axes,
    names: Sequence[str],
    title: str,
    labelled: bool,
) -> VegaLite:
    drawn = [{**row, "kind": _LIKE.get(row["kind"], row["kind"])} for row in rows]
    fixed = axes.upwards
    upwards = alt.Y("y:Q", axis=alt.Axis(title=title, tickCount=6), scale=alt.Scale(**fixed))
    base = blank().encode(x=axes.across)
    tooltip = [
        alt.Tooltip("series:N", title="Series"),
        alt.Tooltip("x:Q", title=axes.time, format=".6~g"),
        alt.Tooltip("y:Q", title=title, format=".4~g"),
    ]
    if data.stacked:
        stack = alt.Y("y:Q", axis=alt.Axis(title=title), scale=alt.Scale(**fixed), stack="zero")
        order = alt.Order("place:Q")
        for row in drawn:
            row["place"] = names.index(row["series"])
        area = base.mark_area(interpolate="linear", line=False).encode(
            y=stack,
            color=squares(names, _steps(len(names)), labelled),
            order=order,
            tooltip=tooltip,
        )
        return finish([filtering(area)], drawn)
    colour, dash = _looks(data.values, names, labelled)
    lines = base.mark_line(strokeWidth=1.4, clip=True, tooltip=None).encode(
        y=upwards, color=colour, strokeDash=dash, detail="series:N", tooltip=tooltip
    )
    layers = [lines]
    if any(row.get("low") is not None for row in drawn) and len(names) <= 2:
        band = base.mark_area(opacity=0.16, clip=True).encode(
            y=upwards.copy(), y2="high:Q", color=colour
        )
        band = band.encode(y=alt.Y("low:Q", axis=alt.Axis(title=title), scale=alt.Scale(**fixed)))
        layers = [band.transform_filter("isValid(datum.low)"), lines]
    if _mark_alone(drawn):
        points = base.mark_point(filled=True, size=42, opacity=1).encode(
            y=upwards.copy(), color=colour, tooltip=tooltip
        )
        layers.append(points.transform_filter("datum.alone"))
    return finish([filtering(layers[0]), *layers[1:]], drawn)


def _mark_alone(rows: Sequence[VegaLite]) -> bool:
    """Mark values without a neighbour, which no line shows; returns whether there are any."""
    lines: dict[str, list[VegaLite]] = {}
    for row in rows:
        lines.setdefault(row["series"], []).append(row)
    alone = False
    for line in lines.values():
        line.sort(key=lambda row: row["x"])
        there = [False, *(row["y"] is not None for row in line), False]
        for i, row in enumerate(line, 1):
            if there[i] and not there[i - 1] and not there[i + 1]:
                row["alone"] = alone = True
    return alone


def _scaled(one: TimelineValue, time: Scale, scale: Scale) -> VegaLite:
    def shown(value: float | None) -> float | None:
        return None if value is None else float(f"{value / scale.factor:.4g}")

    return {
        "panel": one.panel,
        "series": one.series,
        "kind": one.kind,
        "low": shown(one.low),
        "high": shown(one.high),
        "x": float(f"{one.time_s / time.factor:.6g}"),
        "y": shown(one.value),
    }


def _steps(count: int) -> list[str]:
    last = len(_STEPS) - 1
    return [_STEPS[round(i * last / max(1, count - 1))] for i in range(count)]


def _looks(
    values: Sequence[TimelineValue], names: Sequence[str], labelled: bool
) -> tuple[alt.Color, alt.StrokeDash]:
    """One colour for both directions of a dimension, the way back dashed; grey for others."""
    kinds = {one.series: one.kind for one in values}
    colours: list[str] = []
    dashes: list[list[int]] = []
    known: dict[str, int] = {}
    others = 0
    for name in names:
        if kinds[name] != ANSWER:
            colours.append(GREYS[others % len(GREYS)])
            dashes.append(_DASHED)
            others += 1
            continue
        place = known.setdefault(name.rstrip("+-"), len(known))
        colours.append(COLOURS[place % len(COLOURS)])
        dashes.append(_DASHED if name.endswith("-") else _SOLID)
    looks = legend_looks(names)
    looks |= {"symbolOpacity": 1, "symbolType": "stroke", "symbolSize": 200}
    legend, domain = alt.Legend(**looks) if labelled and len(names) > 1 else None, list(names)
    colour = alt.Color("series:N", legend=legend).scale(domain=domain, range=colours)
    dash = alt.StrokeDash("series:N", legend=legend).scale(domain=domain, range=dashes)
    return colour, dash

"""Timelines and rankings of congested ports as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from weft.report.charts import drawn_from, filtering, finish, label_room
from weft.report.congestion import Ranking
from weft.report.palette import COLOURS, GREYS
from weft.report.source import Row
from weft.report.timelines import TimelineData, natural
from weft.report.units import Scale, scale_for

# From nothing, a breath of grey that suits light and dark pages, to everything.
_STEPS = (
    "rgba(128, 138, 128, 0.17)", "#b5d3ea", "#8fbbdd", "#67a3cf", "#4189be",
    "#5f8f4e", "#a8a03a", "#e0a52e", "#e8853a", "#c0450f",
)  # fmt: skip
_SOLID, _DASHED = [1, 0], [4, 3]
_BAR = 22


def timeline_charts(data: TimelineData) -> list[tuple[str | None, dict[str, Any]]]:
    """A specification per panel, with the panel's name."""
    found = []
    end = max(row["x"] for row in data.rows)
    for panel in data.panels:
        rows = [row for row in data.rows if row["panel"] == panel]
        values = [row["y"] for row in data.rows if row["y"] is not None]
        found.append((panel, _timeline(data, rows, Scale(*_time(end)), _top(data.unit, values))))
    return found


def _time(end: float) -> tuple[float, str]:
    """The largest unit in which the end of the time axis is at least 1."""
    scale = scale_for("s", [end])
    return scale.factor, scale.unit


def _top(unit: str, values: Sequence[float]) -> Scale:
    """The prefix for the greatest value: most of a timeline may be near nothing."""
    return scale_for(unit, [max(map(abs, values), default=1.0)])


def _timeline(data: TimelineData, rows: Sequence[Row], time: Scale, scale: Scale) -> dict[str, Any]:
    drawn = [_scaled(row, time, scale) for row in rows]
    for row in drawn:
        if row["kind"] == "published":
            row["kind"] = "derived"
    title = f"{data.label} [{scale.unit}]" if scale.unit else data.label
    fixed = {"domain": [0, 1], "nice": False} if data.stacked else {"zero": True, "nice": True}
    figure = data.figure
    ends = [figure.start / time.factor, None]
    ends[1] = figure.end / time.factor if figure.end is not None else _last(drawn)
    across = alt.X(
        "x:Q",
        axis=alt.Axis(title=f"Time [{time.unit}]", labelOverlap="greedy", labelSeparation=8),
        scale=alt.Scale(zero=False, nice=False, domain=ends),
    )
    upwards = alt.Y("y:Q", axis=alt.Axis(title=title, tickCount=6), scale=alt.Scale(**fixed))
    names = list(dict.fromkeys(row["series"] for row in drawn))
    base = drawn_from(drawn).encode(x=across)
    tooltip = [
        alt.Tooltip("series:N", title="Series"),
        alt.Tooltip("x:Q", title=f"Time [{time.unit}]", format=".6~g"),
        alt.Tooltip("y:Q", title=title, format=".4~g"),
    ]
    if data.stacked:
        stack = alt.Y("y:Q", axis=alt.Axis(title=title), scale=alt.Scale(**fixed), stack="zero")
        order = alt.Order("place:Q")
        for row in drawn:
            row["place"] = names.index(row["series"])
        area = base.mark_area(interpolate="linear", line=False).encode(
            y=stack, color=_colour(names, _steps(len(names))), order=order, tooltip=tooltip
        )
        return finish([filtering(area)], drawn)
    colour, dash = _looks(drawn, names)
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
    return finish([filtering(layers[0]), *layers[1:]], drawn)


def _last(rows: Sequence[Row]) -> float:
    return max(float(row["x"]) for row in rows if row["kind"] == "answer")


def _scaled(row: Row, time: Scale, scale: Scale) -> Row:
    values = {
        key: None if row[key] is None else float(f"{row[key] / scale.factor:.4g}")
        for key in ("y", "low", "high")
    }
    return {**row, "x": float(f"{row['x'] / time.factor:.6g}"), **values}


def _steps(count: int) -> list[str]:
    last = len(_STEPS) - 1
    return [_STEPS[round(i * last / max(1, count - 1))] for i in range(count)]


def _colour(names: Sequence[str], colours: Sequence[str]) -> alt.Color:
    looks = _legend(names)
    looks |= {"symbolOpacity": 1, "symbolType": "square"}
    legend = alt.Legend(**looks)
    return alt.Color("series:N", legend=legend).scale(domain=list(names), range=list(colours))


def _legend(names: Sequence[str]) -> dict[str, Any]:
    columns = _columns(names)
    room = label_room(columns)
    return {"title": None, "orient": "top", "columns": columns, "labelLimit": room}


def _columns(names: Sequence[str]) -> int:
    """As many entries of a legend side by side as fit on a narrow page."""
    longest = max(map(len, names), default=0)
    return 1 if longest > 22 else 2 if longest > 14 else 3 if longest > 8 else 6


def _looks(rows: Sequence[Row], names: Sequence[str]) -> tuple[alt.Color, alt.StrokeDash]:
    """One colour for both directions of a dimension, the way back dashed; grey for others."""
    kinds = {row["series"]: row["kind"] for row in rows}
    colours: list[str] = []
    dashes: list[list[int]] = []
    known: dict[str, int] = {}
    others = 0
    for name in names:
        if kinds[name] != "answer":
            colours.append(GREYS[others % len(GREYS)])
            dashes.append(_DASHED)
            others += 1
            continue
        place = known.setdefault(name.rstrip("+-"), len(known))
        colours.append(COLOURS[place % len(COLOURS)])
        dashes.append(_DASHED if name.endswith("-") else _SOLID)
    looks = _legend(names)
    looks |= {"symbolOpacity": 1, "symbolType": "stroke", "symbolSize": 200}
    legend, domain = alt.Legend(**looks) if len(names) > 1 else None, list(names)
    colour = alt.Color("series:N", legend=legend).scale(domain=domain, range=colours)
    dash = alt.StrokeDash("series:N", legend=legend).scale(domain=domain, range=dashes)
    return colour, dash


def congestion_chart(ranking: Ranking, classes: Sequence[str]) -> dict[str, Any]:
    """Horizontal bars, the worst port on top; colours by the class of the port."""
    scale = _top("s", [row["blocked_s"] for row in ranking.rows])
    drawn = [
        {
            "y": f"{row['router']} · {row['port']}",
            "x": float(f"{row['blocked_s'] / scale.factor:.4g}"),
            "series": row["port"],
            "share": None if row["share"] is None else float(f"{row['share']:.4g}"),
            "packets": row["packets"],
            "link": row["link"],
        }
        for row in ranking.rows
    ]
    names = sorted({str(name) for name in classes}, key=natural)
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    title = f"Time in which packets waited [{scale.unit}]"
    tooltip = [
        alt.Tooltip("y:N", title="Router · port"),
        alt.Tooltip("link:N", title="Link"),
        alt.Tooltip("x:Q", title=title, format=".4~g"),
        alt.Tooltip("share:Q", title="Share of the time", format=".1%"),
        alt.Tooltip("packets:Q", title="Packets that waited", format=","),
    ]
    order = [row["y"] for row in drawn]
    bars = drawn_from(drawn).mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("x:Q", axis=alt.Axis(title=title, tickCount=5), scale=alt.Scale(zero=True)),
        y=alt.Y("y:N", sort=order, axis=alt.Axis(title="Router · port", labelLimit=160)),
        color=_colour(names, colours),
        tooltip=tooltip,
    )  # fmt: skip
    return finish([filtering(bars)], drawn) | {"height": _BAR * len(drawn)}

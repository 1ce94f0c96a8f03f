"""Figures as Vega-Lite specifications: one per panel, responsive, colour-blind safe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from weft.report.palette import Palette
from weft.report.series import FigureData
from weft.report.source import SIZE, Row
from weft.report.units import Scale, key_label, scale_for, settings_label

_DASH = ([1, 0], [5, 4], [3, 3])
_BYTES = (
    "datum.value >= 1073741824 ? format(datum.value / 1073741824, '~g') + ' GiB' : "
    "datum.value >= 1048576 ? format(datum.value / 1048576, '~g') + ' MiB' : "
    "datum.value >= 1024 ? format(datum.value / 1024, '~g') + ' KiB' : "
    "format(datum.value, '~g') + ' B'"
)
_SECONDS = (
    "abs(datum.value) >= 1 || datum.value == 0 ? format(datum.value, '~g') + ' s' : "
    "abs(datum.value) >= 1e-3 ? format(datum.value * 1e3, '.4~g') + ' ms' : "
    "abs(datum.value) >= 1e-6 ? format(datum.value * 1e6, '.4~g') + ' µs' : "
    "format(datum.value * 1e9, '.4~g') + ' ns'"
)
FILTER = "series_filter"
#: Width of a letter of an axis label, in pixels.
_LETTER = 6.5


def charts(data: FigureData, palette: Palette) -> list[tuple[str | None, dict[str, Any]]]:
    """A specification per panel of a line or bar figure, with the panel's name."""
    values = [row["y"] for row in data.rows]
    scale = scale_for(data.unit, values)
    found = []
    for panel in data.panels:
        rows = [row for row in data.rows if row["panel"] == panel or row["panel"] is None]
        spec = _spec(data, rows, scale, palette)
        name = None
        if data.figure.row:
            name = settings_label([(data.figure.row, panel)])
        found.append((name, spec))
    return found


def _spec(data: FigureData, rows: Sequence[Row], scale: Scale, palette: Palette) -> dict[str, Any]:
    figure = data.figure
    drawn = [_scaled(row, scale) for row in rows]
    log_y = figure.log_y and all(row["y"] > 0 for row in drawn)
    horizontal = horizontal_axis(figure.x, drawn, figure.log_x, figure.kind == "bar")
    from_zero = figure.kind == "bar" or data.unit == "1"
    linear: dict[str, Any] = {"zero": from_zero, "nice": True}
    kind = _log_scale(drawn, figure.kind) if log_y else linear
    title = f"{data.label} [{scale.unit}]" if scale.unit else data.label
    axis = alt.Axis(title=title, tickCount=6, labelOverlap="greedy")
    vertical = alt.Y("y:Q", axis=axis, scale=alt.Scale(**kind))
    colour, shape = encodings(drawn, palette)
    base = drawn_from(drawn).encode(x=horizontal, y=vertical, color=colour)
    tooltip = _tooltip(figure.x, title)
    if figure.kind == "bar":
        layers = _bars(base, drawn, tooltip, kind["domain"][0] if log_y else 0)
    else:
        layers = _lines(base, shape, tooltip, drawn)
    return finish(layers, drawn)


def _log_scale(rows: Sequence[Row], kind: str) -> dict[str, Any]:
    """A little beyond the values: whole decades would leave much of the chart empty.

    Bars stand on the lower end, so that has to be some way below the least of them.
    """
    values = [row[name] for row in rows for name in ("y", "low", "high") if row.get(name)]
    low, high = min(v for v in values if v > 0), max(values)
    room = max((high / low) ** 0.05, 1.05)
    below = max(room, 2.0) if kind == "bar" else room
    return {"type": "log", "domain": [low / below, high * room], "nice": False}


def _bars(
    base: alt.Chart, rows: Sequence[Row], tooltip: list[alt.Tooltip], foot: float
) -> list[alt.Chart]:
    """Bars from `foot` upwards; a logarithmic axis has no zero for them to stand on."""
    order = _series(rows)
    offset = alt.XOffset("series:N", sort=order, scale=alt.Scale(domain=order))
    bars = base.mark_bar().encode(xOffset=offset, tooltip=tooltip)
    bars = bars.encode(y2=alt.datum(foot)) if foot else bars
    whiskers = base.mark_rule(color="currentColor").encode(
        xOffset=offset, y="low:Q", y2="high:Q", color=alt.value("currentColor")
    )
    known = any(row.get("low") is not None for row in rows)
    return [
        filtering(bars),
        *([whiskers.transform_filter("isValid(datum.low)")] if known else []),
    ]


def _lines(
    base: alt.Chart, shape: alt.Shape, tooltip: list[alt.Tooltip], rows: Sequence[Row]
) -> list[alt.Chart]:
    kinds = {row["kind"] for row in rows}
    crowded = len({row["x"] for row in rows}) > 80
    dash = alt.StrokeDash("kind:N", legend=None).scale(
        domain=["answer", "derived", "measured"], range=_DASH
    )
    lines = base.mark_line(strokeWidth=1.2 if crowded else 2, clip=True).encode(
        strokeDash=dash, detail=["series:N", "kind:N"]
    )
    points = base.mark_point(filled=True, size=10 if crowded else 42, opacity=1)
    hollow = base.mark_point(filled=False, size=90, strokeWidth=2, opacity=1)
    layers = [_band(base, rows)] if any(row.get("low") is not None for row in rows) else []
    if kinds - {"published"}:
        layers.append(lines.transform_filter("datum.kind != 'published'"))
    small = base.mark_point(filled=False, size=60, strokeWidth=1.5, opacity=1)
    for kind, marks in (("measured", small), ("answer", points), ("published", hollow)):
        if kind in kinds:
            drawn = marks.encode(shape=shape, tooltip=tooltip)
            layers.append(drawn.transform_filter(f"datum.kind == '{kind}'"))
    return [filtering(layers[0]), *layers[1:]]


def _band(base: alt.Chart, rows: Sequence[Row]) -> alt.Chart:
    wide = len({row["x"] for row in rows if row.get("low") is not None}) > 2
    band = base.mark_area(opacity=0.18) if wide else base.mark_rule(strokeWidth=2, opacity=0.6)
    shown: alt.Chart = band.encode(y="low:Q", y2="high:Q").transform_filter("isValid(datum.low)")
    return shown


def filtering(chart: alt.Chart) -> alt.Chart:
    """`chart` with a legend whose entries can be singled out."""
    legend = alt.selection_point(name=FILTER, fields=["series"], bind="legend")
    filtering: alt.Chart = chart.add_params(legend)
    return filtering


def drawn_from(rows: Sequence[Row]) -> alt.Chart:
    """A chart of `rows`, without marks."""
    return alt.Chart(alt.InlineData(values=list(rows)))


def finish(layers: Sequence[alt.Chart], rows: Sequence[Row]) -> dict[str, Any]:
    """Put the data once on top and let every layer that has series obey the legend.

    The layer with the selection stays first: Vega-Lite makes only that layer's legend clickable.
    """
    first, *others = [layer.to_dict(validate=False) for layer in layers]
    for layer in (first, *others):
        layer.pop("data", None)
        if "color" in layer["encoding"]:
            layer.setdefault("transform", []).append({"filter": {"param": FILTER}})
    for layer in (first, *others):
        for name in ("$schema", "config", "datasets"):
            layer.pop(name, None)
    return {
        "$schema": alt.SCHEMA_URL,
        "data": {"values": [_lean(row) for row in rows]},
        "width": "container",
        "height": 300,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "layer": [first, *others],
        "config": config(),
    }


def _lean(row: Row) -> Row:
    return {key: value for key, value in row.items() if value is not None and key != "panel"}


def _scaled(row: Row, scale: Scale) -> Row:
    numbers = {
        key: None if row[key] is None else float(f"{row[key] / scale.factor:.6g}")
        for key in ("y", "low", "high")
    }
    return {**row, **numbers}


def _series(rows: Sequence[Row]) -> list[str]:
    rank = {"answer": 0, "published": 1, "measured": 2, "derived": 3}
    ordered = sorted(rows, key=lambda row: rank[row["kind"]])
    return list(dict.fromkeys(row["series"] for row in ordered))


def encodings(rows: Sequence[Row], palette: Palette) -> tuple[alt.Color, alt.Shape]:
    """Colour and shape by series, with one legend."""
    kinds: dict[str, str] = {}
    for row in rows:  # what joins one of our series has its colour
        kinds.setdefault(row["series"], row["kind"])
    domain = _series(rows)
    found = palette.looks({name: kinds[name] for name in domain})
    looks = [found[name] for name in domain]
    longest = max(map(len, domain), default=0)
    columns = 1 if longest > 22 else 2 if longest > 14 else 3
    legend = alt.Legend(
        title=None, orient="top", columns=columns, labelLimit=label_room(columns), symbolSize=80,
        symbolOpacity=1,
    )  # fmt: skip
    colour = alt.Color("series:N", legend=legend).scale(
        domain=domain, range=[look[0] for look in looks]
    )
    shape = alt.Shape("series:N", legend=legend).scale(
        domain=domain, range=[look[1] for look in looks]
    )
    return colour, shape


def label_room(columns: int) -> Any:
    """How long an entry of a legend may be: entries below each other have the chart's width."""
    return alt.expr("width - 30") if columns == 1 else 320


def horizontal_axis(key: str, rows: Sequence[Row], log: bool, steps: bool = False) -> alt.X:
    """The x axis for the values of `key`; words and, with `steps`, numbers make categories."""
    values = [row["x"] for row in rows]
    if not all(isinstance(value, int | float) for value in values):
        words = list(dict.fromkeys(values))
        # Labels stand upright only where the longest one is wider than a category.
        wide = len(words) * (max(len(str(word)) for word in words) * _LETTER + 10)
        looks = {"labelAngle": "270 : 0", "labelAlign": "'right' : 'center'"}
        looks["labelBaseline"] = "'middle' : 'top'"
        by_room: dict[str, Any] = {
            name: alt.expr(f"width < {wide:.0f} ? {each}") for name, each in looks.items()
        }
        return alt.X("x:N", axis=alt.Axis(title=key_label(key), **by_room), sort=words)
    axis: dict[str, Any] = {"title": key_label(key), "labelOverlap": "greedy", "labelSeparation": 8}
    if key.endswith("_bytes"):
        axis["labelExpr"] = _BYTES
    if key.endswith("_s"):
        axis["labelExpr"] = _SECONDS
    if steps:
        return alt.X("x:O", axis=alt.Axis(labelAngle=0, **axis))
    if log and min(values) <= 0:
        return alt.X("x:O", axis=alt.Axis(labelAngle=0, **axis), scale=alt.Scale(type="point"))
    if log:
        axis |= {"tickCount": 8, "grid": True}
        return alt.X("x:Q", axis=alt.Axis(**axis), scale=alt.Scale(type="log", base=2, padding=8))
    whole = all(float(value).is_integer() for value in values)
    if whole and key != SIZE:
        axis |= {"format": "~d" if max(values) < 10_000 else "~s", "tickMinStep": 1}
    return alt.X("x:Q", axis=alt.Axis(**axis), scale=alt.Scale(zero=False, nice=False, padding=12))


def _tooltip(x: str, title: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("series:N", title="Series"),
        alt.Tooltip("kind:N", title="Kind"),
        alt.Tooltip("x:N", title=key_label(x)),
        alt.Tooltip("y:Q", title=title, format=".4~g"),
        alt.Tooltip("n:Q", title="Values"),
    ]


def config() -> dict[str, Any]:
    """Text and lines take the page's colour, so one drawing serves light, dark and print."""
    ink, font = "currentColor", "system-ui, sans-serif"
    return {
        "background": None,
        "font": font,
        "view": {"stroke": None},
        "axis": {
            "domainColor": ink, "domainOpacity": 0.45, "tickColor": ink, "tickOpacity": 0.45,
            "gridColor": ink, "gridOpacity": 0.1, "labelColor": ink, "titleColor": ink,
            "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500, "titlePadding": 10,
        },
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "symbolLimit": 40},
        "text": {"fill": ink},
    }  # fmt: skip

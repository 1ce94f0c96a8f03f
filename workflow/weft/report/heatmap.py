"""Heat maps as Vega-Lite: steps of blue and orange around 1, or one hue; numbers where they fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from weft.report.charts import config
from weft.report.maps import MapData
from weft.report.source import Row
from weft.report.units import key_label, scale_for, settings_label, value_label

# Blue below, orange above, a light grey for agreement: they differ in lightness as well, so that
# they can be told apart by everyone and on paper.
_BELOW = ("#0b4f8a", "#4f95c9", "#b5d3ea")
_AGREES = "#e9ece6"
_ABOVE = ("#fbcf9d", "#e8853a", "#a33c00")
_HUE = ("#e6eff5", "#0b4f8a")
_INK = ("#15191d", "#ffffff")
_STEP = 26
#: A number is drawn in a cell at least this wide, in pixels.
_ROOM = 32


def map_charts(data: MapData) -> list[tuple[str | None, dict[str, Any]]]:
    """A specification per panel, with the panel's name; the first has the legend."""
    scale = scale_for(data.unit or "1", [cell.value for cell in data.cells])
    found: list[tuple[str | None, dict[str, Any]]] = []
    for panel in data.panels:
        rows = [
            {
                "x": value_label(data.figure.x, cell.setting(data.figure.x)),
                "y": data.name(cell),
                "value": float(f"{cell.value / scale.factor:.4g}"),
                "at": settings_label(cell.at),
                "of": cell.of,
                "to": cell.to,
            }
            for cell in data.cells
            if data.panel(cell) == panel
        ]
        name = settings_label([(data.figure.row, panel)]) if data.figure.row else None
        found.append((name, _spec(data, rows, scale.unit, first=not found)))
    return found


def _spec(data: MapData, rows: Sequence[Row], unit: str, first: bool) -> dict[str, Any]:
    figure = data.figure
    across, down = (list(dict.fromkeys(row[axis] for row in rows)) for axis in ("x", "y"))
    plain: dict[str, Any] = {"domain": False, "ticks": False}
    below = alt.Axis(title=key_label(figure.x), labelAngle=0, **plain)
    base = alt.Chart(alt.InlineData(values=[_lean(row) for row in rows])).encode(
        x=alt.X("x:N", sort=across, axis=below),
        y=alt.Y("y:N", sort=down, axis=alt.Axis(title=None, labelLimit=140, **plain)),
    )
    title = f"{data.label} [{unit}]" if unit else data.label
    if figure.of:
        title = f"{figure.of} ÷ {figure.to}"
    colour, dark = _colour(data, title, first)
    cells = base.mark_rect(stroke="currentColor", strokeOpacity=0.12, cornerRadius=2).encode(
        color=colour,
        tooltip=[
            alt.Tooltip("at:N", title="At"),
            alt.Tooltip("value:Q", title=title, format=".4~g"),
            *([alt.Tooltip("of:Q", title=figure.of, format=".4~g"),
               alt.Tooltip("to:Q", title=figure.to, format=".4~g")] if figure.of else []),
        ],
    )  # fmt: skip
    room = alt.expr(f"width / {max(1, len(across))} < {_ROOM} ? 0 : 11")
    ink = alt.condition(dark, alt.value(_INK[1]), alt.value(_INK[0]))
    numbers = base.mark_text(fontSize=room).encode(
        text=alt.Text("value:Q", format=_format(rows)), color=ink
    )
    spec: dict[str, Any] = alt.layer(cells, numbers).to_dict(validate=False)
    # Without a legend above it, the menu of the chart would lie on a cell.
    spec |= {
        "padding": {"left": 5, "right": 5, "bottom": 5, "top": 5 if first else 26},
        "width": "container",
        "height": _STEP * len(down),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": config(),
    }
    return spec


def _colour(data: MapData, title: str, first: bool) -> tuple[alt.Color, str]:
    """The colour of a cell, and when it is so dark that ink must be white."""
    values = [cell.value for cell in data.cells]
    legend = alt.Legend(
        title=title, orient="top", gradientLength=280, titleLimit=280, labelOverlap=False
    )
    shown = legend if first else None
    within = data.figure.within
    if within is not None:
        near, far = 1 + 4 * within, 1 + 10 * within
        steps = [1 / far, 1 / near, 1 - within, 1 + within, near, far]
        colours = [*_BELOW, _AGREES, *_ABOVE]
        dark = f"datum.value < {steps[0]:.6g} || datum.value >= {steps[-1]:.6g}"
        domain = [float(f"{step:.3g}") for step in steps]
        scale = alt.Scale(type="threshold", domain=domain, range=colours)
        return alt.Color("value:Q", scale=scale, legend=shown), dark
    low, high = min(values), max(values)
    log = low > 0 and high / low > 20
    middle = (low * high) ** 0.5 if log else (low + high) / 2
    kind = {"type": "log"} if log else {"zero": False}
    scale = alt.Scale(domain=[low, high], range=list(_HUE), **kind)
    return alt.Color("value:Q", scale=scale, legend=shown), f"datum.value > {middle:.6g}"


def _format(rows: Sequence[Row]) -> str:
    top = max((abs(row["value"]) for row in rows), default=1)
    return ",.0f" if top >= 100 else ".1f" if top >= 10 else ".2f"


def _lean(row: Row) -> Row:
    return {key: value for key, value in row.items() if value is not None}

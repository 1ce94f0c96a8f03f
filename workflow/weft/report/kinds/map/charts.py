"""Heat maps as Vega-Lite: steps of blue and orange around 1, or one hue; numbers where they fit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import altair as alt

from weft.report.data.flagged import SIGN
from weft.report.data.units import in_unit, key_label, scale_for, settings_label, titled
from weft.report.draw.charts import config
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.series_looks import PAGE, letters_room, series_room
from weft.report.kinds.map.rows import MapData

# Blue below, orange above: they differ in lightness as well, so that everyone can distinguish them,
# also on paper. Agreement is a breath of grey that suits light and dark pages.
_BELOW = ("#0b4f8a", "#4f95c9", "#b5d3ea")
_AGREES = "rgba(128, 138, 128, 0.17)"
_ABOVE = ("#fbcf9d", "#e8853a", "#a33c00")
_HUE = ("#e6eff5", "#0b4f8a")
_DARK, _LIGHT, _PAGE = "#15191d", "#ffffff", "currentColor"
_STEP, _LINE = 26, 13
#: Between the settings that name a row, and the letters that fit into one line of its name.
_BETWEEN, _LETTERS = " · ", 24
_SPLIT = "split(datum.label, '\\n')"
#: How far the last number below a gradient may reach beyond it, in pixels.
_OVERHANG = 24
#: A number is drawn in a cell at least this wide, in pixels.
_ROOM = 32


@dataclass(frozen=True, slots=True)
class Shades:
    """How values become colours: by class around 1, or, without `classes`, by one hue."""

    domain: tuple[float, ...]
    classes: tuple[str, ...] = ()

    def name(self, value: float) -> str:
        """The class of `value`; empty without classes."""
        return self.classes[bisect_right(self.domain, value)] if self.classes else ""

    def ink(self, value: float) -> str:
        """The colour in which the number of a cell can be read."""
        if self.classes:
            place = bisect_right(self.domain, value)
            return {0: _LIGHT, 3: _PAGE, 6: _LIGHT}.get(place, _DARK)
        low, high = self.domain
        middle = (low * high) ** 0.5 if self.log else (low + high) / 2
        return _LIGHT if value > middle else _DARK

    @property
    def log(self) -> bool:
        """Whether the hue goes by the logarithm: values of several orders of magnitude."""
        low, high = self.domain
        return low > 0 and high / low > 20

    def colour(self, title: str, legend: bool, beside: float = 0.0) -> alt.Color:
        """The colour of cells, with a legend or without; names beside them are so wide."""
        shown: VegaLite = {"title": title, "orient": "top", "titleLimit": 280}
        if self.classes:
            scale = alt.Scale(domain=list(self.classes), range=[*_BELOW, _AGREES, *_ABOVE])
            both = beside + 2 * max(map(series_room, self.classes))
            columns = alt.expr(f"{PAGE} < {both:.0f} ? 1 : 2")
            shown |= {"columns": columns, "symbolType": "square", "symbolSize": 160}
            shown |= {"symbolStrokeWidth": 0.5, "symbolStrokeColor": "currentColor"}
            look = alt.Legend(**shown) if legend else None
            return alt.Color("class:N", scale=scale, legend=look)
        kind: VegaLite = {"type": "log"} if self.log else {"zero": False}
        scale = alt.Scale(domain=list(self.domain), range=list(_HUE), **kind)
        length = alt.expr(f"clamp(width - {_OVERHANG}, {_OVERHANG}, 260)")
        look = alt.Legend(gradientLength=length, **shown) if legend else None
        return alt.Color("value:Q", scale=scale, legend=look)


def shades(data: MapData, factor: float) -> Shades:
    """Classes where the figure says what agreement is; else the range of all values."""
    within = data.figure.within
    if within is None:
        values = [cell.value / factor for cell in data.cells]
        return Shades((min(values), max(values)))
    near, far = 1 + 4 * within, 1 + 10 * within
    ends = (1 / far, 1 / near, 1 - within, 1 + within, near, far)
    bounds = [f"{end:.2f}" for end in ends]
    names = [f"{low} to {high}" for low, high in pairwise(bounds)]
    names[2] = f"within {100 * within:.0f}\N{NO-BREAK SPACE}%"
    # An end of the agreement belongs to it, whatever the last digit of a sum.
    domain = (*ends[:2], ends[2] - 1e-9, ends[3] + 1e-9, *ends[4:])
    return Shades(domain, (f"below {bounds[0]}", *names, f"above {bounds[-1]}"))


def map_charts(data: MapData) -> list[Chart]:
    """A specification per panel, with the panel's name; the first has the legend."""
    scale = scale_for(data.unit or "1", [cell.value for cell in data.cells])
    look = shades(data, scale.factor)
    x, names = data.figure.x, broken(list(data.names.values()))
    found: list[Chart] = []
    for panel in data.panels:
        rows = [
            {
                "x": in_unit(x, cell.setting(x), data.scales.get(x)),
                "y": names[data.name(cell)],
                "value": float(f"{cell.value / scale.factor:.4g}"),
                "class": look.name(cell.value / scale.factor) or None,
                "ink": look.ink(cell.value / scale.factor),
                "at": settings_label(cell.at),
                "of": cell.of,
                "to": cell.to,
                "flag": cell.flag,
            }
            for cell in data.cells
            if data.panel(cell) == panel
        ]
        name = settings_label([(data.figure.row, panel)], data.scales) if data.figure.row else None
        found.append((name, _spec(data, rows, look, scale.unit, first=not found)))
    return found


def _spec(
    data: MapData, rows: Sequence[VegaLite], look: Shades, unit: str, first: bool
) -> VegaLite:
    figure = data.figure
    across, down = (list(dict.fromkeys(row[axis] for row in rows)) for axis in ("x", "y"))
    plain: VegaLite = {"domain": False, "ticks": False}
    title = titled(key_label(figure.x), data.scales.get(figure.x))
    below = alt.Axis(title=title, labelAngle=0, labelOverlap="greedy", labelSeparation=4, **plain)
    lines = max((name.count("\n") + 1 for name in down), default=1)
    names = max((letters_room(line) for name in down for line in name.split("\n")), default=0.0)
    middle = -_LINE * (lines - 1) / 2
    beside = alt.Axis(title=None, labelLimit=0, labelExpr=_SPLIT, labelOffset=middle, **plain)
    base = alt.Chart(alt.InlineData(values=[_lean(row) for row in rows])).encode(
        x=alt.X("x:N", sort=across, axis=below),
        y=alt.Y("y:N", sort=down, axis=beside),
    )
    title = f"{data.label} [{unit}]" if unit else data.label
    if figure.of:
        title = f"{figure.of} ÷ {figure.to}"
    tooltip = [
        alt.Tooltip("at:N", title="At"),
        alt.Tooltip("value:Q", title=title, format=".4~g"),
    ]
    for field in ("of", "to") if figure.of else ():
        tooltip.append(alt.Tooltip(f"{field}:Q", title=getattr(figure, field), format=".4~g"))
    cells = base.mark_rect(stroke="currentColor", strokeOpacity=0.12, cornerRadius=2).encode(
        color=look.colour(title, first, names), tooltip=tooltip
    )
    room = alt.expr(f"width / {max(1, len(across))} < {_ROOM} ? 0 : 11")
    numbers = base.mark_text(fontSize=room, tooltip=None).encode(
        text=alt.Text("value:Q", format=_format(rows)),
        color=alt.Color("ink:N", scale=None, legend=None),
    )
    layers = [cells, numbers, *_signs(numbers, rows)]
    spec: VegaLite = alt.layer(*layers).to_dict(validate=False)
    # Without a legend above it, the menu of the chart would lie on a cell.
    spec |= {
        "padding": {"left": 5, "right": 5, "bottom": 5, "top": 5 if first else 26},
        "width": "container",
        "height": (_STEP + _LINE * (lines - 1)) * len(down),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": config(),
        "resolve": {"scale": {"color": "independent"}},
    }
    return spec


def _signs(numbers: alt.Chart, rows: Sequence[VegaLite]) -> list[alt.Chart]:
    """The sign of flagged cells in their upper right corners, however narrow they are."""
    if not any(row["flag"] for row in rows):
        return []
    signs = numbers.copy(deep=True).mark_text(
        fontSize=9, align="right", baseline="top", dx=-2, dy=1, tooltip=None
    )
    signs.encoding.x.bandPosition, signs.encoding.y.bandPosition = 1, 0
    return [signs.encode(text=alt.datum(SIGN)).transform_filter("datum.flag")]


def broken(names: Sequence[str]) -> dict[str, str]:
    """Names of rows, all in as many lines as the longest needs to leave the cells room."""
    parts = {name: name.split(_BETWEEN) for name in names}
    count = max((_needed(each) for each in parts.values()), default=1)
    return {name: "\n".join(_lines(each, count)) for name, each in parts.items()}


def _needed(parts: Sequence[str]) -> int:
    """How many lines `parts` need, of which none is too long if it can be split."""
    counts = range(1, len(parts) + 1)
    fits = (n for n in counts if max(map(len, _lines(parts, n))) <= _LETTERS)
    return next(fits, len(parts))


def _lines(parts: Sequence[str], count: int) -> list[str]:
    """`parts` in `count` lines: all but the last ones together on the first; perhaps empty ones."""
    first = max(1, len(parts) - count + 1)
    lines = [_BETWEEN.join(parts[:first]), *parts[first:]]
    return lines + [""] * (count - len(lines))


def _format(rows: Sequence[VegaLite]) -> str:
    top = max((abs(row["value"]) for row in rows), default=1)
    return ",.0f" if top >= 100 else ".1f" if top >= 10 else ".2f"


def _lean(row: VegaLite) -> VegaLite:
    return {key: value for key, value in row.items() if value is not None}

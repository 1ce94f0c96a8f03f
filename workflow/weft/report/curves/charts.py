"""Lines and bars as Vega-Lite specifications: one per panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import altair as alt

from weft.config.model.figures import Bar
from weft.report.curves.log_axes import log_x, log_y
from weft.report.curves.rows import FigureData
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.units import Scale, scale_for, settings_label, titled
from weft.report.draw.axes import Across, across, upwards
from weft.report.draw.charts import blank, finish, panel_height
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.hollow_marks import hollowed
from weft.report.draw.palette import Palette
from weft.report.draw.series_looks import Looks, encodings, filtering

_DASH = ([1, 0], [5, 4], [3, 3])


@dataclass(frozen=True, slots=True)
class Frame:
    """What the panels of a figure share, so that they can be compared: axes, units, series."""

    across: Across
    scale: Scale
    upwards: VegaLite
    title: str

    def drawn(self, row: SeriesValue) -> VegaLite:
        """A value in the units of the axes; what a logarithm cannot show ends at the axis."""
        return {
            "panel": row.panel,
            "series": row.series,
            "kind": row.kind,
            "x": self.across.place(row.x),
            "y": self._scaled(row.y),
            "low": self._scaled(row.low),
            "high": self._scaled(row.high),
            "n": row.n,
            "replicates": [self._scaled(value) for value in row.replicates] or None,
            "flag": row.flag,
            "ends": row.ends,
        }

    def _scaled(self, value: float | None) -> float | None:
        if value is None:
            return None
        scaled = float(f"{value / self.scale.factor:.6g}")
        return scaled if self.foot is None else max(scaled, self.foot)

    @property
    def foot(self) -> float | None:
        """The lower end of a logarithmic axis, which has no zero for bars to stand on."""
        return self.upwards["domain"][0] if self.upwards.get("type") == "log" else None


def charts(data: FigureData, palette: Palette) -> list[Chart]:
    """A specification per panel of a line or bar figure, with the panel's name.

    The first has the legend of them all; one series of the only engine needs none.
    """
    looks = encodings(data.rows, palette)
    if data.one_engine and not data.legend:
        looks = looks.unlabelled()
    drawn = data.drawn
    shared = _frame(data, drawn)
    found: list[Chart] = []
    for panel in data.panels:
        rows = [row for row in drawn if row.panel in (panel, None)]
        frame = _frame(data, rows) if data.has_own_ranges else shared
        spec = _spec(data, rows, frame, looks.unlabelled() if found else looks)
        name = settings_label([(data.figure.row, panel)], data.scales) if data.figure.row else None
        found.append((name, spec))
    return found


def _frame(data: FigureData, rows: Sequence[SeriesValue]) -> Frame:
    figure = data.figure
    bars = isinstance(figure, Bar)
    # Bars that only share a row share a unit.
    of_scale = rows if bars and data.has_own_ranges else data.rows
    scale = scale_for(data.unit, [row.y for row in of_scale])
    plain = Frame(across(figure.x, [row.x for row in rows], log_x(figure), bars), scale, {}, "")
    drawn = [plain.drawn(row) for row in rows]
    log = log_y(figure, data.rows) and all(row["y"] > 0 for row in drawn)
    middle = [] if data.around is None else [{"y": data.around}]
    from_zero = not middle and (bars or data.unit == "1")
    room = upwards([*drawn, *middle], log, from_zero=from_zero, bars=bars and not middle)
    return replace(plain, upwards=room, title=titled(data.label, scale))


def _spec(data: FigureData, rows: Sequence[SeriesValue], frame: Frame, looks: Looks) -> VegaLite:
    drawn = [frame.drawn(row) for row in rows]
    axis = alt.Axis(title=frame.title, tickCount=6, labelOverlap="greedy")
    vertical = alt.Y("y:Q", axis=axis, scale=alt.Scale(**frame.upwards))
    base = blank().encode(x=frame.across.encoding(), y=vertical, color=looks.colour)
    tooltip = _tooltip(frame)
    if isinstance(data.figure, Bar) and data.around is not None:
        layers = _dots(base, drawn, looks.names, tooltip, data.around)
    elif isinstance(data.figure, Bar):
        layers = _bars(base, drawn, looks.names, tooltip, frame.foot)
    else:
        layers = _lines(base, looks.shape, tooltip, drawn)
    return finish(layers, drawn) | {"height": panel_height(len(data.panels))}


def _bars(
    base: alt.Chart,
    rows: Sequence[VegaLite],
    order: Sequence[str],
    tooltip: list[alt.Tooltip],
    foot: float | None,
) -> list[alt.Chart]:
    """Bars from zero, or from `foot` upwards where the axis has none."""
    offset = _beside(order)
    bars = base.mark_bar().encode(xOffset=offset, tooltip=tooltip)
    bars = bars.encode(y2=alt.datum(foot)) if foot else bars
    first, *others = hollowed(bars, rows)
    return [filtering(first), *others, *_scatter(base, rows, offset)]


def _dots(
    base: alt.Chart,
    rows: Sequence[VegaLite],
    order: Sequence[str],
    tooltip: list[alt.Tooltip],
    around: float,
) -> list[alt.Chart]:
    """Dots on stems that begin at the value that says that nothing differs."""
    offset = _beside(order)
    stems = base.mark_rule(strokeWidth=3).encode(xOffset=offset, y2=alt.datum(around))
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(xOffset=offset, tooltip=tooltip)
    level = blank().mark_rule(strokeDash=[4, 3], opacity=0.7).encode(y=alt.datum(around))
    return [filtering(stems), *hollowed(dots, rows), *_scatter(base, rows, offset), level]


def _beside(order: Sequence[str]) -> alt.XOffset:
    """Series side by side at each place."""
    return alt.XOffset("series:N", sort=list(order), scale=alt.Scale(domain=list(order)))


def _scatter(base: alt.Chart, rows: Sequence[VegaLite], offset: alt.XOffset) -> list[alt.Chart]:
    """Replicates and intervals over bars or dots."""
    ink = alt.value("currentColor")
    layers = [each.encode(xOffset=offset, color=ink) for each in _replicates(base, rows)]
    if any(row.get("low") is not None for row in rows):
        whiskers = base.mark_rule().encode(xOffset=offset, y="low:Q", y2="high:Q", color=ink)
        layers.append(whiskers.transform_filter("isValid(datum.low)"))
    return layers


def _lines(
    base: alt.Chart, shape: alt.Shape, tooltip: list[alt.Tooltip], rows: Sequence[VegaLite]
) -> list[alt.Chart]:
    kinds = {row["kind"] for row in rows}
    crowded = len({row["x"] for row in rows}) > 80
    dash = alt.StrokeDash("kind:N", legend=None).scale(
        domain=[ANSWER, "derived", "measured"], range=_DASH
    )
    lines = base.mark_line(strokeWidth=1.2 if crowded else 2).encode(
        strokeDash=dash, detail=["series:N", "kind:N"]
    )
    points = base.mark_point(filled=True, size=10 if crowded else 42, opacity=1)
    hollow = base.mark_point(filled=False, size=90, strokeWidth=2, opacity=1)
    layers = [_band(base, rows)] if any(row.get("low") is not None for row in rows) else []
    if kinds - {"published"}:
        layers.append(lines.transform_filter("datum.kind != 'published'"))
    small = base.mark_point(filled=False, size=60, strokeWidth=1.5, opacity=1)
    for kind, marks in (("measured", small), (ANSWER, points), ("published", hollow)):
        if kind in kinds:
            drawn = marks.encode(shape=shape, tooltip=tooltip)
            layers += hollowed(drawn.transform_filter(f"datum.kind == '{kind}'"), rows)
    if not crowded:
        layers += _replicates(base, rows)
    if any(row.get("ends") for row in rows):
        layers.append(_arrows(base, tooltip))
    return [filtering(layers[0]), *layers[1:]]


def _replicates(base: alt.Chart, rows: Sequence[VegaLite]) -> list[alt.Chart]:
    """A small mark for each value that a mean is of."""
    if not any(row.get("replicates") for row in rows):
        return []
    tooltip = [
        alt.Tooltip("series:N", title="Series"),
        alt.Tooltip("replicate:Q", title="One of the values", format=".4~g"),
    ]
    marks = base.mark_point(filled=True, size=12, opacity=0.55)
    shown = marks.encode(y="replicate:Q", tooltip=tooltip)
    return [
        shown.transform_filter("isValid(datum.replicates)").transform_flatten(
            ["replicates"], as_=["replicate"]
        )
    ]


def _arrows(base: alt.Chart, tooltip: list[alt.Tooltip]) -> alt.Chart:
    """Marks above the last values of series that end because the network saturates."""
    arrow = base.mark_point(shape="arrow", filled=True, size=260, opacity=1, yOffset=-16)
    shown: alt.Chart = arrow.encode(tooltip=tooltip).transform_filter("datum.ends")
    return shown


def _band(base: alt.Chart, rows: Sequence[VegaLite]) -> alt.Chart:
    wide = len({row["x"] for row in rows if row.get("low") is not None}) > 2
    band = base.mark_area(opacity=0.18) if wide else base.mark_rule(strokeWidth=2, opacity=0.6)
    shown: alt.Chart = band.encode(y="low:Q", y2="high:Q").transform_filter("isValid(datum.low)")
    return shown


def _tooltip(frame: Frame) -> list[alt.Tooltip]:
    x = frame.across
    unit = " [B]" if x.key.endswith("_bytes") else ""
    return [
        alt.Tooltip("series:N", title="Series"),
        alt.Tooltip("kind:N", title="Kind"),
        alt.Tooltip("x:N", title=x.title + unit),
        alt.Tooltip("y:Q", title=frame.title, format=".4~g"),
        alt.Tooltip("n:Q", title="Values"),
    ]

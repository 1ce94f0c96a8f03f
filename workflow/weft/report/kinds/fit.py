"""Fits: the curve through a measured ping-pong, and its residuals below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from weft.analysis.curve import CurvePiece
from weft.analysis.pingpongs import METRICS
from weft.config.model.figures import Fit
from weft.files.calibrations import read_calibration
from weft.report.data.axes import SIZE
from weft.report.data.csv_text import csv_text
from weft.report.data.source import Row, Study
from weft.report.data.units import Scale, bytes_label, listing, scale_for, titled
from weft.report.draw.axes import unit_labels
from weft.report.draw.charts import blank, finish
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.draw.kind import Kind
from weft.report.draw.palette import COLOURS, Palette

#: So many points draw a piece, which is no straight line on logarithmic axes.
_STEPS = 40
#: Bytes that take less than this share of a message's time are lost in its noise.
_LEAST_SHARE = 0.05
#: Room for the labels of the y axis, so that the curve and its residuals share the x axis.
_LABELS = 46


@dataclass(frozen=True, slots=True)
class FittedSize:
    """A message size of the ping-pong; `value` is its time, or that of a byte."""

    size_bytes: int
    value: float
    residual: float
    """(curve − time) / time."""
    left_out: bool
    """Whether the fit leaves the size out."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of the curve, on the piece with this number."""

    size_bytes: float
    value: float
    piece: int


@dataclass(frozen=True, slots=True)
class PlacedFit:
    """The fit of one placement: the sizes, and points of the line through them."""

    placement: str
    sizes: Sequence[FittedSize]
    line: Sequence[CurvePoint]
    scatter: float | None
    said: str


@dataclass(frozen=True, slots=True)
class FitData:
    """The fits of all placements, in seconds or, `per_byte`, in seconds per byte."""

    label: str
    per_byte: bool
    fits: Sequence[PlacedFit]
    nothing: str | None = None
    legend: bool = False

    @property
    def notes(self) -> list[str]:
        """What each fit is, and what the marks mean."""
        if not self.fits:
            return []
        marks = ["Residual: (curve − time) / time."]
        if any(size.left_out for fit in self.fits for size in fit.sizes):
            marks.append("Crosses: sizes that the fit leaves out.")
        if any(fit.scatter for fit in self.fits):
            marks.append("Band: half of the repeated times are that near to their median.")
        if self.per_byte:
            marks.append(f"Sizes whose bytes take at least {_LEAST_SHARE:.0%} of the time.")
        return [*(fit.said for fit in self.fits), " ".join(marks)]

    def csv(self) -> str:
        """Every size of the fit."""
        value = "s_per_byte" if self.per_byte else "time_s"
        return csv_text(
            ["placement", SIZE, value, "residual", "left_out"],
            (
                [fit.placement, size.size_bytes, size.value, size.residual, size.left_out]
                for fit in self.fits
                for size in fit.sizes
            ),
        )


def _rows(study: Study, figure: Fit) -> FitData:
    label = study.metrics[figure.y].label
    if figure.per_byte:
        label = f"{label} per byte, net of 0 B"
    path = study.folder.calibration
    if not path.is_file():
        return FitData(label, figure.per_byte, (), "This experiment has fitted no curve yet.")
    stored = read_calibration(path)
    name = next(curve for curve, metric in METRICS.items() if metric == figure.y)
    fits = [
        _placed(placement.replace("_", " "), curves[name], figure.per_byte)
        for placement, curves in sorted(stored.get("curves", {}).items())
        if name in curves
    ]
    why = stored.get("problem") or f"the calibration has no curve of {figure.y}"
    return FitData(label, figure.per_byte, fits, None if fits else f"No curve: {why}.")


def _placed(placement: str, curve: Row, per_byte: bool) -> PlacedFit:
    pieces = [CurvePiece(**piece) for piece in curve["pieces"]]
    start = pieces[0].seconds(0) if per_byte else 0.0
    measured = zip(curve["message_bytes"], curve["times_s"], curve["residuals"], strict=True)
    sizes = [
        FittedSize(
            size,
            (time - start) / size if per_byte else time,
            residual,
            size in curve["outliers_bytes"],
        )
        for size, time, residual in measured
        if not per_byte or (size and time - start >= _LEAST_SHARE * time)
    ]
    line = _line(pieces, [size.size_bytes for size in sizes], start if per_byte else None)
    return PlacedFit(placement, sizes, line, curve["scatter"], _said(placement, curve))


def _line(
    pieces: Sequence[CurvePiece], sizes: Sequence[int], start: float | None
) -> list[CurvePoint]:
    """The curve where there are sizes, a stretch for each piece."""
    ends = [*(piece.from_bytes for piece in pieces[1:]), max(sizes) + 1]
    points: list[CurvePoint] = []
    for number, (piece, end) in enumerate(zip(pieces, ends, strict=True)):
        # One more than a size, so that a size of 0 B can lie on a logarithm.
        first, last = max(piece.from_bytes, min(sizes)) + 1, end
        for step in range(_STEPS + 1):
            x = first * (last / first) ** (step / _STEPS) - 1
            time = piece.seconds(x)
            if start is None:
                points.append(CurvePoint(x, time, number))
            elif x:
                points.append(CurvePoint(x, (time - start) / x, number))
    return points


def _said(placement: str, curve: Row) -> str:
    count = len(curve["pieces"])
    jumps = [bytes_label(size) for size in curve["jumps_bytes"]]
    parts = [
        f"{placement.capitalize()}: {count} piece{'' if count == 1 else 's'}",
        f"a jump behind {listing(jumps)}" if jumps else "no jump",
        f"residuals {curve['median_residual']:.1%} (median), {curve['worst_residual']:.1%} (worst)",
    ]
    if curve["unseen_median"] is not None:
        unseen = f"{curve['unseen_median']:.1%} and {curve['unseen_worst']:.1%}"
        parts.append(f"each size under the fit without it {unseen}")
    if curve["scatter"] is not None:
        parts.append(f"scatter of repeated times {curve['scatter']:.1%}")
    return f"{'; '.join(parts)}. Confidence: {curve['confidence']}."


def _title(study: Study, figure: Fit) -> str:
    what = study.metrics[figure.y].label
    return f"{what}{' per byte' if figure.per_byte else ''}: measured times and the fitted curve"


def _hints(figure: Fit) -> list[str]:
    return ["per byte" if figure.per_byte else ""]


def _charts(data: FitData, _: Palette) -> list[Chart]:
    charts: list[Chart] = []
    every = [size.size_bytes for fit in data.fits for size in fit.sizes]
    across = _across(every)
    for fit in data.fits:
        name = fit.placement.capitalize() if len(data.fits) > 1 else None
        charts.append((name, _curve(fit, across, data)))
        below = "Residuals" if name is None else f"{name}: residuals"
        charts.append((below, _residuals(fit, across)))
    return charts


def _across(sizes: Sequence[int]) -> alt.X:
    """Sizes on a logarithm that has a place for 0 B."""
    positive = [size for size in sizes if size > 0]
    zero = len(positive) < len(sizes)
    ticks = [0.0] if zero else []
    tick = float(min(positive))
    while tick <= max(positive):
        ticks.append(tick)
        tick *= 4
    scale = (
        alt.Scale(type="symlog", constant=min(positive), nice=False, padding=12)
        if zero
        else alt.Scale(type="log", base=2, nice=False, padding=12)
    )
    axis = alt.Axis(
        title="Message size", values=ticks, labelOverlap="greedy", labelSeparation=8, grid=True,
        labelExpr=unit_labels(SIZE),
    )  # fmt: skip
    return alt.X("x:Q", axis=axis, scale=scale)


def _curve(fit: PlacedFit, across: alt.X, data: FitData) -> VegaLite:
    values = [size.value for size in fit.sizes]
    scale = Scale(1e-9, "ns/B") if data.per_byte else scale_for("s", values)
    positive = min(values) > 0
    kind = alt.Scale(type="log", nice=False, padding=8) if positive else alt.Scale(padding=8)
    axis = alt.Axis(
        title=titled(data.label, scale), tickCount=6, labelOverlap="greedy", minExtent=_LABELS
    )
    vertical = alt.Y("y:Q", axis=axis, scale=kind)
    sizes = [_drawn(size, size.value / scale.factor) for size in fit.sizes]
    line: list[VegaLite] = [
        {"x": at.size_bytes, "y": at.value / scale.factor, "piece": at.piece, "of": "curve"}
        for at in fit.line
        if at.value > 0 or not positive
    ]
    rows = [*sizes, *line]
    base = blank().encode(x=across, y=vertical)
    drawn = base.mark_line(strokeWidth=2, color="currentColor", opacity=0.65)
    drawn = drawn.encode(detail="piece:N").transform_filter("datum.of == 'curve'")
    return finish([drawn, *_marks(base, rows, titled(data.label, scale))], rows)


def _drawn(size: FittedSize, y: float) -> VegaLite:
    return {"x": size.size_bytes, "y": y, "residual": size.residual, "left_out": size.left_out,
            "of": "size"}  # fmt: skip


def _residuals(fit: PlacedFit, across: alt.X) -> VegaLite:
    rows = [_drawn(size, size.residual) for size in fit.sizes]
    # One row each, because a mark is drawn for every row.
    around: list[VegaLite] = [{"of": "zero", "y": 0.0}]
    if fit.scatter:
        around.append({"of": "scatter", "y": -fit.scatter, "high": fit.scatter})
    axis = alt.Axis(title="Residual", format=".1~%", tickCount=5, minExtent=_LABELS)
    vertical = alt.Y("y:Q", axis=axis, scale=alt.Scale(padding=8))
    everywhere = blank().encode(y=vertical)
    zero = everywhere.mark_rule(strokeDash=[4, 4], opacity=0.6, color="currentColor")
    band = everywhere.mark_rect(opacity=0.12, color="currentColor").encode(y2="high:Q")
    layers = [
        *_marks(everywhere.encode(x=across), rows, "Residual", ".2%"),
        zero.transform_filter("datum.of == 'zero'"),
        band.transform_filter("datum.of == 'scatter'"),
    ]
    return finish(layers, [*rows, *around]) | {"height": 150}


def _marks(
    base: alt.Chart, rows: Sequence[VegaLite], title: str, form: str = ".4~g"
) -> list[alt.Chart]:
    """Filled marks of the sizes of the fit, and crosses where it leaves a size out."""
    tooltip = [
        alt.Tooltip("x:Q", title="Message size [B]"),
        alt.Tooltip("y:Q", title=title, format=form),
        alt.Tooltip("residual:Q", title="Residual", format=".2%"),
    ]
    points = base.mark_point(filled=True, size=50, opacity=1, color=COLOURS[0])
    seen = "datum.of == 'size' && !datum.left_out"
    marks = [points.encode(tooltip=tooltip).transform_filter(seen)]
    if any(row.get("left_out") for row in rows):
        crosses = base.mark_point(shape="cross", filled=True, size=90, opacity=1, color=COLOURS[1])
        marks.append(crosses.encode(tooltip=tooltip).transform_filter("datum.left_out"))
    return marks


KIND = Kind(Fit, _rows, _title, _charts, hints=_hints)

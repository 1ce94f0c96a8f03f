"""From a figure's description to the rows it shows: one row per series and x."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from scipy.stats import t as student

from weft.config.model.figures import Bar, Curves, Line
from weft.report.data.coinciding_series import coinciding
from weft.report.data.flagged import note
from weft.report.data.overlays import published_rows
from weft.report.data.saturation import left_out
from weft.report.data.series_names import Naming, split
from weft.report.data.series_rows import SeriesRows
from weft.report.data.settings import place
from weft.report.data.source import Row, Study
from weft.report.data.units import Scales, key_label

MAX_X = 400
_DASHED = {
    "derived": "Dashed series are derived from the paper's model; they were not published.",
    "measured": "Dashed lines with hollow marks: BookSim2 with the same settings.",
}
_CSV = ("panel", "series", "kind", "x", "y", "low", "high", "n", "flag")


@dataclass
class FigureData(SeriesRows):
    """Rows `panel, series, kind, x, y, low, high, n, flag` in stored units, ready to draw.

    `flag` is why a measured value is not to be trusted; published rows have none.
    """

    figure: Curves
    unit: str
    label: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    scales: Scales = field(default_factory=dict)

    @property
    def band(self) -> list[str]:
        """The two metrics between which the figure asks for a band; empty without one."""
        return (self.figure.band if isinstance(self.figure, Line) else None) or []

    @property
    def panels(self) -> list[object]:
        """Values of the figure's `row`, in order; `[None]` without one."""
        return list(dict.fromkeys(row["panel"] for row in self.rows)) or [None]

    def csv(self) -> str:
        """The figure's data, values in stored units."""
        text = io.StringIO()
        names = {"x": self.figure.x, "y": f"{self.figure.y} [{self.unit}]"}
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([names.get(name, name) for name in _CSV])
        writer.writerows([row.get(name) for name in _CSV] for row in self.rows)
        return text.getvalue()


def figure_data(study: Study, figure: Curves) -> FigureData:
    """Aggregate what `figure` shows, published values included."""
    metric = study.metrics[figure.y]
    data = FigureData(figure, metric.unit, metric.label, scales=study.scales)
    naming, averaged = split(study, figure)
    keys = list(dict.fromkeys([k for k in (figure.row, figure.x) if k] + [*naming.names]))
    bands = {place(row, keys): row for row in study.quantiles(figure.y, keys, figure.where)}
    bands |= _ends(study, data, keys)
    for row in naming.ordered(study.groups(figure.y, keys, figure.where)):
        if row[figure.x] is not None:
            data.rows.append(_row(study, figure, naming, row, bands.get(place(row, keys))))
    saturated = left_out(study, figure, naming, data.rows) if isinstance(figure, Line) else None
    data.notes += [saturated] if saturated else []
    _thin(data)
    data.notes += coinciding(study, figure, data.rows) if isinstance(figure, Line) else []
    data.rows += published_rows(study, figure, naming, data.rows)
    data.notes += [*_notes(study, data, averaged, bool(bands)), *note(data.rows)]
    return data


def _ends(study: Study, data: FigureData, keys: Sequence[str]) -> dict[tuple[str, ...], Row]:
    """The band that a figure asks for: means of two metrics."""
    if not data.band:
        return {}
    low, high = (study.groups(name, keys, data.figure.where) for name in data.band)
    tops = {place(row, keys): row["mean"] for row in high}
    return {
        at: {"low": row["mean"], "high": tops[at], "n": math.inf}
        for row in low
        if (at := place(row, keys)) in tops
    }


def _row(study: Study, figure: Curves, naming: Naming, row: Row, band: Row | None) -> Row:
    low, high = interval(row["mean"], row["sd"], row["n"], confidence(study))
    if band and band["n"] > 1:
        low, high = band["low"], band["high"]
    return {
        "panel": row[figure.row] if figure.row else None,
        "series": naming.label(row),
        "kind": "answer",
        "x": row[figure.x],
        "y": row["mean"],
        "low": low,
        "high": high,
        "n": row["n"],
        "flag": row["flag"],
    }


def interval(
    mean: float, sd: float | None, n: int, level: float = 0.95
) -> tuple[float | None, float | None]:
    """Confidence interval of a mean (Student's t); none for a single value or no spread."""
    if n < 2 or not sd:
        return None, None
    half = float(student.ppf((1 + level) / 2, n - 1)) * sd / n**0.5
    return mean - half, mean + half


def confidence(study: Study) -> float:
    """The confidence that the experiment's report asks for."""
    return study.plan.report.interval


def _thin(data: FigureData) -> None:
    """Keep at most MAX_X evenly spread x values: nobody sees more, and pages stay small."""
    every = sorted({row["x"] for row in data.rows}, key=lambda x: (isinstance(x, str), x))
    if len(every) <= MAX_X:
        return
    kept = {every[i * (len(every) - 1) // (MAX_X - 1)] for i in range(MAX_X)}
    data.rows = [row for row in data.rows if row["x"] in kept]
    data.notes.append(f"{MAX_X} of {len(every):,} values along the x axis are drawn.")


def _notes(study: Study, data: FigureData, averaged: Sequence[str], bands: bool) -> list[str]:
    notes = []
    answers = [row for row in data.rows if row["kind"] == "answer"]
    if averaged and any(row["n"] > 1 for row in answers):
        names = ", ".join(key_label(key).lower() for key in averaged)
        notes.append(f"Each value is a mean over {names}.")
    if data.band:
        low, high = (study.metrics[name].label.lower() for name in data.band)
        notes.append(f"Bands reach from the {low} to the {high}.")
    elif bands:
        notes.append("Bands of measurements span the middle half of all repetitions.")
    most = max((row["n"] for row in answers if row["low"] is not None), default=0)
    if most > 1 and not data.band:
        notes.append(
            f"Bands of replicates span the {confidence(study):.0%} confidence interval of the mean"
            f" (up to {most:,} values)."
        )
    kinds = {row["kind"] for row in data.rows}
    if isinstance(data.figure, Bar) and "derived" in kinds:
        return [*notes, _DASHED["derived"].replace("Dashed series", "Grey and brown bars")]
    return [*notes, *(text for kind, text in _DASHED.items() if kind in kinds)]

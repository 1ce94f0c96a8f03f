"""Scaling: how much faster a program is on more ranks, beside the ideal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.config.model.figures import Line, Scaling
from weft.report.curves.charts import charts
from weft.report.curves.rows import FigureData, figure_data
from weft.report.data.axes import RANKS
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.source import Study
from weft.report.data.units import listing
from weft.report.draw.kind import Kind

IDEAL = "ideal"
_ABOUT = "Speed-up: the time on the fewest ranks ({ranks}) divided by that on more. {efficiency}"


def _rows(study: Study, figure: Scaling) -> FigureData:
    curves = Line(
        x=RANKS, y=figure.of, color=figure.color, row=figure.row, where=figure.where,
        log_x=True, log_y=True,
    )  # fmt: skip
    data = figure_data(study, curves)
    if data.unit != "s":
        no_rows = f"No speed-up of {data.label.lower()}: it is no time."
        return replace(data, rows=[], about=[], no_rows=no_rows)
    ours = [row for row in data.rows if row.kind == ANSWER]
    faster = list(_faster(ours))
    about = [*data.about, *_about(ours, faster)]
    return replace(data, label="Speed-up", unit="1", rows=[*faster, *_ideal(faster)], about=about)


def _faster(rows: list[SeriesValue]) -> Iterator[SeriesValue]:
    """Each time as the factor by which it is shorter than that on the fewest ranks of its series;
    scatter is that of the longer times."""
    for row in rows:
        mine = [other for other in rows if (other.panel, other.series) == (row.panel, row.series)]
        fewest = min(mine, key=lambda other: other.x)
        if fewest.y <= 0 or row.y <= 0:
            continue
        base = fewest.y
        yield replace(
            row,
            y=base / row.y,
            low=base / row.high if row.high else None,
            high=base / row.low if row.low and row.low > 0 else None,
            replicates=[base / value for value in row.replicates if value > 0],
        )


def _ideal(rows: list[SeriesValue]) -> Iterator[SeriesValue]:
    """As many times faster as there are more ranks."""
    for panel in dict.fromkeys(row.panel for row in rows):
        places = sorted({float(row.x) for row in rows if row.panel == panel})
        for ranks in places:
            yield SeriesValue(IDEAL, "derived", ranks, ranks / places[0], panel=panel, n=1)


def _about(times: list[SeriesValue], faster: list[SeriesValue]) -> list[str]:
    """From how many ranks on times are compared, and the efficiency on the most ranks."""
    fewest = {row.series: row for row in sorted(times, key=lambda row: -float(row.x))}
    most = {row.series: row for row in sorted(faster, key=lambda row: float(row.x))}
    parts = [
        f"{row.y / (float(row.x) / float(fewest[name].x)):.0%} ({name}, {row.x:g} ranks)"
        for name, row in most.items()
    ]
    if not parts:
        return []
    ranks = listing(f"{each:g}" for each in sorted({float(row.x) for row in fewest.values()}))
    efficiency = f"Efficiency: {listing(parts)}." if len(parts) <= 4 else ""
    return [_ABOUT.format(ranks=ranks, efficiency=efficiency).strip()]


def _title(study: Study, figure: Scaling) -> str:
    return f"Speed-up: {study.metrics[figure.of].label.lower()}"


KIND = Kind(Scaling, _rows, _title, charts)

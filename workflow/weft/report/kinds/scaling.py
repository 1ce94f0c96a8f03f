"""Scaling: how much faster a program is on more ranks, beside the ideal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weft.config.model.figures import Scaling
from weft.report.curves.charts import charts
from weft.report.curves.rows import FigureData, figure_data
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.source import Study
from weft.report.data.units import listing, place_label
from weft.report.draw.kind import Kind

IDEAL = "ideal"
_ABOUT = "Speed-up: the time on the fewest ranks ({ranks}) divided by that on more."
#: So many efficiencies a note gives.
_MOST_NAMED = 6


def _rows(study: Study, figure: Scaling) -> FigureData:
    data = figure_data(study, figure.times)
    if data.unit != "s":
        no_rows = f"No speed-up of {data.label.lower()}: it is no time."
        return replace(data, rows=[], about=[], no_rows=no_rows)
    ours = [row for row in data.rows if row.kind == ANSWER]
    faster = list(_faster(ours))
    about = [*data.about, *_about(figure.row, faster)]
    return replace(data, label="Speed-up", unit="1", rows=[*faster, *_ideal(faster)], about=about)


def _faster(rows: list[SeriesValue]) -> Iterator[SeriesValue]:
    """Each time as the factor by which it is shorter than that on the fewest ranks of its series,
    which lies on the ideal of its panel, also where others begin with fewer ranks."""
    first: dict[tuple[object, str], SeriesValue] = {}
    fewest: dict[object, float] = {}
    for row in sorted(rows, key=lambda row: float(row.x)):
        first.setdefault((row.panel, row.series), row)
        fewest.setdefault(row.panel, float(row.x))
    for row in rows:
        begin = first[row.panel, row.series]
        if begin.y <= 0 or row.y <= 0:
            continue
        base = begin.y * float(begin.x) / fewest[row.panel]
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


def _about(key: str | None, faster: list[SeriesValue]) -> list[str]:
    """From how many ranks on times are compared, and the efficiency of each series on the most
    ranks, without flagged values; `key` is that of the panels."""
    ideal = {(row.panel, row.x): row.y for row in _ideal(faster)}
    ordered = sorted((r for r in faster if not r.flag), key=lambda row: float(row.x))
    if not ordered:
        return []
    last = {(row.panel, row.series): row for row in ordered}
    first = {(row.panel, row.series): row for row in reversed(ordered)}
    begins = {float(row.x) for row in first.values()}
    ranks = listing(f"{each:g}" for each in sorted(begins))
    text = _ABOUT.format(ranks=ranks)
    if len(begins) > 1:
        text += " Series begin on the ideal."
    if len(last) > _MOST_NAMED:
        return [text]
    several = key if len({panel for panel, _ in last}) > 1 else None
    parts = [
        f"{row.y / ideal[panel, row.x]:.0%} ({_called(several, row)}, {row.x:g} ranks)"
        for (panel, _), row in last.items()
    ]
    return [f"{text} Efficiency: {listing(parts)}."]


def _called(key: str | None, row: SeriesValue) -> str:
    if key is None:
        return row.series
    return f"{row.series}, {place_label(key, row.panel)}"


def _title(study: Study, figure: Scaling) -> str:
    return f"Speed-up: {study.metrics[figure.of].label.lower()}"


KIND = Kind(Scaling, _rows, _title, charts)

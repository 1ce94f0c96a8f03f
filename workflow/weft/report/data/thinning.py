"""Fewer rows for a drawing: what a screen can show, with every peak. The CSV has all rows."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

from weft.report.data.series_values import SeriesValue

#: A drawing has about so many rows at most; its series share them.
MOST_ROWS = 12_000
#: A series has values in so many stretches of the x axis at most; a chart is some 750 pixels wide.
MOST_STRETCHES = 400
NOTE = (
    "Drawn of each series with many values: the first, the last, and the least and greatest of each"
    " stretch of the x axis. The data has all values."
)
NOTE_OF_BARS = "Bars are drawn at {drawn:,} of {planned:,} values of the x axis; the data has all."


def thinned(rows: Sequence[SeriesValue], log_x: bool = False) -> list[SeriesValue]:
    """Of every series in `rows` what a screen can show, in the order of `rows`.

    A stretch of the x axis keeps the rows with the least and the greatest value and those whose
    bands reach farthest, flagged rows apart from others. Series of few rows stay whole.
    """
    series = defaultdict[tuple[object, ...], list[int]](list)
    for number, row in enumerate(rows):
        series[row.panel, row.series, row.kind].append(number)
    extremes = _extremes(rows)
    stretches = max(2, min(MOST_STRETCHES, MOST_ROWS // (len(extremes) * (len(series) or 1))))
    if all(len(mine) <= len(extremes) * stretches for mine in series.values()):
        return list(rows)
    places = _places([row.x for row in rows], log_x)
    kept: set[int] = set()
    for mine in series.values():
        if len(mine) <= len(extremes) * stretches:
            kept.update(mine)
        else:
            kept.update(_kept(rows, mine, places, stretches, extremes))
    return [rows[number] for number in sorted(kept)]


def at_fewer_places(rows: Sequence[SeriesValue]) -> list[SeriesValue]:
    """The rows at evenly spread places of the x axis, so few that bars can be distinguished."""
    every = sorted({row.x for row in rows}, key=_order)
    series = len({(row.panel, row.series) for row in rows})
    most = max(2, min(MOST_STRETCHES, MOST_ROWS // (series or 1)))
    if len(every) <= most:
        return list(rows)
    places = {every[i * (len(every) - 1) // (most - 1)] for i in range(most)}
    return [row for row in rows if row.x in places]


def _extremes(rows: Sequence[SeriesValue]) -> list[Callable[[SeriesValue], float]]:
    """What a stretch keeps the row of that has the least: of values, and of the ends of bands."""
    found: list[Callable[[SeriesValue], float]] = [lambda row: row.y, lambda row: -row.y]
    if any(row.low is not None for row in rows):
        found += [
            lambda row: row.y if row.low is None else row.low,
            lambda row: -(row.y if row.high is None else row.high),
        ]
    return found


def _kept(
    rows: Sequence[SeriesValue],
    mine: Sequence[int],
    places: Sequence[float],
    stretches: int,
    extremes: Sequence[Callable[[SeriesValue], float]],
) -> set[int]:
    """The numbers of those rows of one series that are drawn."""
    parts = defaultdict[tuple[int, bool], list[int]](list)
    for number in mine:
        part = min(int(places[number] * stretches), stretches - 1)
        parts[part, bool(rows[number].flag)].append(number)
    ends = {min(mine, key=places.__getitem__), max(mine, key=places.__getitem__)}
    return ends | {
        min(part, key=lambda number: extreme(rows[number]))
        for part in parts.values()
        for extreme in extremes
    }


def _places(xs: Sequence[str | float], log: bool) -> list[float]:
    """Where every x lies along the axis, from 0 to 1: by value, by logarithm, or one by one.

    Words, and numbers that a logarithm does not have, are drawn one by one.
    """
    numbers = [float(x) for x in xs if isinstance(x, int | float)]
    if len(numbers) < len(xs) or (log and min(numbers) <= 0):
        order = {x: float(rank) for rank, x in enumerate(sorted(set(xs), key=_order))}
        numbers = [order[x] for x in xs]
    elif log:
        numbers = [math.log(number) for number in numbers]
    low = min(numbers)
    span = (max(numbers) - low) or 1.0
    return [(number - low) / span for number in numbers]


def _order(x: str | float) -> tuple[float, str]:
    """Numbers by their size, then words."""
    return (math.inf, x) if isinstance(x, str) else (x, "")

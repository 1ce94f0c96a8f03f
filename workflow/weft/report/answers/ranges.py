"""Where nothing else follows: from which value to which, of each series."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from weft.report.answers.wording import at, name, value
from weft.report.data.aggregates import MeanValue
from weft.report.data.axes import SIZE
from weft.report.data.distinguishing_settings import place
from weft.report.data.references import varies
from weft.report.data.settings import VARIANT
from weft.report.data.source import Study, Where
from weft.report.data.units import series_label


def range_sentences(study: Study, metric: str, wheres: Sequence[Where]) -> list[str]:
    """The range of means of each series, and how sure the extremes are."""
    options = [key for key in study.swept if key.startswith("options.")]
    names = ["engine", *([VARIANT] if varies(study, VARIANT) else options)]
    keys = [key for key in study.swept if key not in names]
    by_series: dict[str, dict[str, MeanValue]] = {}
    for where in wheres:
        for row in study.means(metric, [*names, *keys, SIZE], where):
            here = repr([row.place[key] for key in (*names, *keys, SIZE)])
            by_series.setdefault(series_label(names, row.place), {})[here] = row
    return [_range(study, metric, s, [*found.values()], names) for s, found in by_series.items()]


def _range(
    study: Study, metric: str, series: str, rows: Sequence[MeanValue], named: Sequence[str]
) -> str:
    label = name(study, metric)
    low = min(rows, key=attrgetter("mean"))
    high = max(rows, key=attrgetter("mean"))
    if low.mean == high.mean:
        return f"{series}: {label} is {value(study, metric, low)}{' throughout' * (len(rows) > 1)}."
    first, last = (
        f"{value(study, metric, end)}{at(place(study, end.place, named))}" for end in (low, high)
    )
    return f"{series}: {label} runs from {first} to {last}."

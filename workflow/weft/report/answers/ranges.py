"""Where nothing else follows: from which value to which, of each series."""

from __future__ import annotations

from collections.abc import Sequence

from weft.report.answers.wording import at, name, value
from weft.report.data.axes import SIZE
from weft.report.data.distinguishing_settings import place
from weft.report.data.references import varies
from weft.report.data.settings import VARIANT
from weft.report.data.source import Row, Study, Where
from weft.report.data.units import series_label


def range_sentences(study: Study, metric: str, wheres: Sequence[Where]) -> list[str]:
    """The range of means of each series, and how sure the extremes are."""
    options = [key for key in study.swept if key.startswith("options.")]
    names = ["engine", *([VARIANT] if varies(study, VARIANT) else options)]
    keys = [key for key in study.swept if key not in names]
    by_series: dict[str, dict[str, Row]] = {}
    for where in wheres:
        for row in study.groups(metric, [*names, *keys, SIZE], where):
            here = repr([row[key] for key in (*names, *keys, SIZE)])
            by_series.setdefault(series_label(names, row), {})[here] = row
    return [_range(study, metric, s, [*found.values()], names) for s, found in by_series.items()]


def _range(
    study: Study, metric: str, series: str, rows: Sequence[Row], named: Sequence[str]
) -> str:
    label = name(study, metric)
    low = min(rows, key=lambda row: row["mean"])
    high = max(rows, key=lambda row: row["mean"])
    if low["mean"] == high["mean"]:
        return f"{series}: {label} is {value(study, metric, low)}{' throughout' * (len(rows) > 1)}."
    return (
        f"{series}: {label} runs from {value(study, metric, low)}{at(place(study, low, named))}"
        f" to {value(study, metric, high)}{at(place(study, high, named))}."
    )

"""The answer of a report in sentences with numbers."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.comparison import Comparison
from weft.report.figures import Figure
from weft.report.maps import map_sentences
from weft.report.panels import Coverage, failures, skips
from weft.report.references import comparisons, report_metrics, varies
from weft.report.series import confidence, interval
from weft.report.settings import VARIANT
from weft.report.source import SIZE, Row, Study
from weft.report.units import (
    counted,
    factor,
    quantity,
    series_label,
    settings_label,
    with_spread,
)

MAX_SENTENCES = 4


def answer(
    study: Study, figures: Sequence[Figure], references: Sequence[str], coverage: Coverage
) -> list[str]:
    """What the maps say, else at most MAX_SENTENCES sentences; what is missing comes first."""
    skipped = _skipped(study, coverage)
    if coverage.done == 0:
        return [_nothing(study, coverage), *skipped]
    maps = [text for f in figures if f.kind == "map" for text in map_sentences(study, f)]
    sentences = maps or _told(study, figures, references)
    sentences = sentences or ["The points are done but gave no values."]
    return [*_incomplete(coverage), *skipped, *sentences]


def _told(study: Study, figures: Sequence[Figure], references: Sequence[str]) -> list[str]:
    sentences: list[str] = []
    for metric in report_metrics(study, figures):
        found = comparisons(study, metric, references)
        if found:
            sentences += [_compared(study, c) for c in _telling(found)]
        else:
            sentences += _described(study, metric)
    return sentences[:MAX_SENTENCES]


def _nothing(study: Study, coverage: Coverage) -> str:
    """Why there is no answer at all: not run, or failed, with the first reason."""
    planned = f"{counted(coverage.planned, 'point')} {_be(coverage.planned)} planned"
    if coverage.missing == coverage.planned:
        return f"Nothing has been answered yet: {planned}."
    parts = {"failed": coverage.failed, "skipped": coverage.skipped, "missing": coverage.missing}
    told = ", ".join(f"{number:,} {state}" for state, number in parts.items() if number)
    text = f"No point has an answer: {planned}, {told}."
    if not coverage.failed:
        return text
    found, _ = failures(study)
    reason = found[0]["error"] or "no reason was recorded"
    return f"{text} The first that failed: {reason.strip().rstrip('.')}."


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _incomplete(coverage: Coverage) -> list[str]:
    if coverage.done + coverage.skipped == coverage.planned:
        return []
    return [
        f"{coverage.done:,} of {counted(coverage.planned, 'point')} {_be(coverage.done)} done"
        f" ({coverage.failed:,} failed, {coverage.missing:,} missing), so this is preliminary."
    ]


def _skipped(study: Study, coverage: Coverage) -> list[str]:
    """What the machine could not answer for want of a program, and what to do."""
    return [
        f"{row['engine']}: {row['points']:,} of {counted(coverage.planned, 'point')}"
        f" {'was' if row['points'] == 1 else 'were'} skipped: {row['reason']}."
        for row in skips(study)
    ]


def _telling(found: Sequence[Comparison]) -> list[Comparison]:
    """One comparison per series: with the reference that covers most values, else the first."""
    chosen: dict[str, Comparison] = {}
    for comparison in found:
        best = chosen.get(comparison.of)
        if best is None or comparison.matched > best.matched:
            chosen[comparison.of] = comparison
    return list(chosen.values())


def _compared(study: Study, c: Comparison) -> str:
    label = study.metrics[c.metric].label
    name = label[:1].lower() + label[1:]
    where = settings_label(place(study, c.worst.coordinates))
    if c.max_factor < 1.0005:
        return f"{c.of} gives the {name} of {c.to} exactly, at all {c.matched:,} values compared."
    start = f"{c.of} gives the {name} within {factor(c.median_factor)} (median) of {c.to}"
    if c.matched == 1:
        unit = study.metrics[c.metric].unit
        both = f"{quantity(c.worst.of, unit)} against {quantity(c.worst.to, unit)}"
        return (
            f"{c.of} gives the {name} within {factor(c.max_factor)} of {c.to}: {both}{_at(where)}."
        )
    worst = f"the worst of {c.matched:,} values is off by {factor(c.max_factor)}"
    return f"{start}; {worst}{_at(where)}."


def _at(where: str) -> str:
    return f" at {where}" if where else ""


def place(
    study: Study, coordinates: Row | object, named: Sequence[str] = ()
) -> list[tuple[str, object]]:
    """The settings that tell one place of the experiment from another, beside those `named`."""
    assert isinstance(coordinates, dict)
    sizes = [SIZE] if max(study.answered.values(), default=0) > 1 else []
    keys = [*study.telling(tuple(named)), *sizes]
    return [(key, coordinates[key]) for key in keys if coordinates.get(key) is not None]


def _described(study: Study, metric: str) -> list[str]:
    """Without a reference: the range of means, and how sure the extremes are."""
    options = [key for key in study.swept if key.startswith("options.")]
    names = ["engine", *([VARIANT] if varies(study, VARIANT) else options)]
    keys = [key for key in study.swept if key not in names]
    rows = study.groups(metric, [*names, *keys, SIZE])
    if not rows:
        return []
    by_series: dict[str, list[Row]] = {}
    for row in rows:
        by_series.setdefault(series_label(names, row), []).append(row)
    return [_range(study, metric, series, found, names) for series, found in by_series.items()]


def _range(
    study: Study, metric: str, series: str, rows: Sequence[Row], named: Sequence[str]
) -> str:
    label = study.metrics[metric].label
    low = min(rows, key=lambda row: row["mean"])
    high = max(rows, key=lambda row: row["mean"])
    if low["mean"] == high["mean"]:
        return (
            f"{series}: {label[:1].lower() + label[1:]} is {_value(study, metric, low)} throughout."
        )
    return (
        f"{series}: {label[:1].lower() + label[1:]} runs from {_value(study, metric, low)}"
        f"{_at(settings_label(place(study, low, named)))} to {_value(study, metric, high)}"
        f"{_at(settings_label(place(study, high, named)))}."
    )


def _value(study: Study, metric: str, row: Row) -> str:
    unit, level = study.metrics[metric].unit, confidence(study)
    low, _ = interval(row["mean"], row["sd"], row["n"], level)
    text = quantity(row["mean"], unit)
    if low is None:
        return text
    text = with_spread(row["mean"], row["mean"] - low, unit)
    return f"{text} ({level:.0%}, {row['n']} values)"

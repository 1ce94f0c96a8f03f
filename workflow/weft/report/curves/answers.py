"""What the database says about a line, bar or table figure: asked once, before all else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from weft.config.model.figures import Curves, Line
from weft.config.points.placement import KEY as PLACEMENT
from weft.report.data.aggregates import MeanValue, ReplicateValues
from weft.report.data.axes import SIZE
from weft.report.data.computing_errors import computing_errors
from weft.report.data.fit_errors import error_of
from weft.report.data.flagged import reason
from weft.report.data.intervals import confidence, interval
from weft.report.data.overlays import overlays, published_rows
from weft.report.data.series_names import Naming, split
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.settings import place
from weft.report.data.source import Study

SATURATED = "saturated"
#: So many replicates of a value are drawn at most.
_MOST_REPLICATES = 20
#: Panel, series and x of a row.
Where = tuple[object, object, object]
#: By panel and series: x values without an answer, because the network was saturated.
Missing = Mapping[tuple[object, str], Sequence[object]]


@dataclass(frozen=True, slots=True)
class ValueBand:
    """How far repetitions of a value reach, and how many there are."""

    low: float
    high: float
    n: float


@dataclass(frozen=True, slots=True)
class FigureAnswers:
    """Values in planned order.

    `answers` are ours, `others` published, derived or measured elsewhere. `averaged` are keys over
    which a mean is taken; `ranges` says whether there are bands beside those of replicates,
    `drawn` which panel, series and x have one over randomly drawn placements, `fit_error` how far
    predictions may be off because their network is fitted, and `computing_error` because the runs
    that measured their computing differ.
    """

    answers: Sequence[SeriesValue]
    others: Sequence[SeriesValue]
    missing: Missing
    averaged: Sequence[str]
    ranges: bool
    drawn: Set[Where]
    fit_error: float
    computing_error: float


def figure_answers(study: Study, figure: Curves) -> FigureAnswers:
    """Everything that `figure` shows."""
    naming, averaged = split(study, figure)
    keys = list(dict.fromkeys([k for k in (figure.row, figure.x) if k] + [*naming.names]))
    # Values at different settings are no repetitions of one: a mean over them has no scatter.
    alike = not averaged
    ranges = _ranges(study, figure, keys, alike)
    replicates = _replicates(study, figure, keys) if alike else {}
    spread = _spread(replicates)
    found = _everywhere(study, figure, study.means(figure.y, keys, figure.where))
    level = confidence(study) if alike else None
    rows = [row for row in naming.ordered(found) if row.place[figure.x] is not None]
    bands = [_band(figure, row, keys, {**ranges, **spread}) for row in rows]
    errors = [_error(study, figure, row, keys) for row in rows]
    computing = _computing_errors(study, figure, rows, keys)
    answers = [
        _off(
            replace(
                _answer(figure, naming, row, band, level),
                replicates=_few(replicates.get(place(row.place, keys))),
            ),
            error + more,
        )
        for row, band, error, more in zip(rows, bands, errors, computing, strict=True)
    ]
    drawn = {
        where(answer) for row, answer in zip(rows, answers, strict=True)
        if place(row.place, keys) in spread
    }  # fmt: skip
    entries = study.published(overlays(figure))
    return FigureAnswers(
        answers,
        published_rows(study, figure, naming, entries, answers),
        _missing(study, figure, naming, keys, {place(row.place, keys) for row in found}),
        averaged,
        bool(ranges),
        drawn,
        max(errors, default=0.0),
        max(computing, default=0.0),
    )


def where(value: SeriesValue) -> Where:
    """What distinguishes a value of a figure from the others."""
    return value.panel, value.series, value.x


def _everywhere(study: Study, figure: Curves, found: Sequence[MeanValue]) -> list[MeanValue]:
    """`found`, and what no placement was asked of beside every placement: a machine has its own."""
    if figure.x != PLACEMENT:
        return list(found)
    places = study.values.get(PLACEMENT, ())
    return [
        replace(row, place={**row.place, figure.x: each})
        for row in found
        for each in ([row.place[figure.x]] if row.place[figure.x] is not None else places)
    ]


def _band(
    figure: Curves, row: MeanValue, keys: Sequence[str], bands: Mapping[tuple[str, ...], ValueBand]
) -> ValueBand | None:
    """The band at this row; that of a measurement is the same at every placement."""
    at_all = place({**row.place, PLACEMENT: None}, keys) if figure.x == PLACEMENT else None
    return bands.get(place(row.place, keys)) or (bands.get(at_all) if at_all else None)


def _replicates(
    study: Study, figure: Curves, keys: Sequence[str]
) -> dict[tuple[str, ...], ReplicateValues]:
    """By place what a mean is of; nothing where no engine is asked with several seeds."""
    if max(study.seeds_of_engines.values(), default=0) < 2:
        return {}
    rows = study.replicates(figure.y, keys, figure.where)
    return {place(row.place, keys): row for row in rows}


def _few(replicates: ReplicateValues | None) -> tuple[float, ...]:
    """The values, unless they are one or too many to be told from one another."""
    values = () if replicates is None else tuple(replicates.values)
    return values if 1 < len(values) <= _MOST_REPLICATES else ()


def _spread(
    replicates: Mapping[tuple[str, ...], ReplicateValues],
) -> dict[tuple[str, ...], ValueBand]:
    """By place: the lowest and the highest of several placements that the seed drew.

    Each is an allocation that a job may get, and not a try at one value; so the interval of their
    mean would say nothing of the next job.
    """
    return {
        at: ValueBand(min(row.values), max(row.values), many)
        for at, row in replicates.items()
        if row.place.get(PLACEMENT) == "random" and (many := len(row.values)) > 1
    }


def _answer(
    figure: Curves, naming: Naming, row: MeanValue, band: ValueBand | None, level: float | None
) -> SeriesValue:
    low, high = interval(row.mean, row.sd, row.n, level) if level else (None, None)
    if band and band.n > 1:
        low, high = band.low, band.high
    return SeriesValue(
        naming.label(row.place),
        ANSWER,
        row.place[figure.x],
        row.mean,
        panel=row.place[figure.row] if figure.row else None,
        low=low,
        high=high,
        n=row.n,
        flag=reason(row),
    )


def _error(study: Study, figure: Curves, row: MeanValue, keys: Sequence[str]) -> float:
    """How far this prediction may be off, because its network is fitted."""
    if isinstance(figure, Line) and figure.band:
        return 0.0
    here = {k: v for k in keys if k != SIZE and (v := row.place[k]) is not None}
    return error_of(study, figure.y, {**figure.where, **here})


def _computing_errors(
    study: Study, figure: Curves, rows: Sequence[MeanValue], keys: Sequence[str]
) -> list[float]:
    """How far each prediction may be off, because the runs that measured its computing differ."""
    if isinstance(figure, Line) and figure.band:
        return [0.0] * len(rows)
    errors = computing_errors(study, figure.y, keys, figure.where)
    return [errors.get(place(row.place, keys), 0.0) for row in rows]


def _off(answer: SeriesValue, error: float) -> SeriesValue:
    """The answer with an interval that is wider by the share `error`."""
    if not error:
        return answer
    low, high = (answer.y if end is None else end for end in (answer.low, answer.high))
    return replace(answer, low=low - error * answer.y, high=high + error * answer.y)


def _ranges(
    study: Study, figure: Curves, keys: Sequence[str], alike: bool
) -> dict[tuple[str, ...], ValueBand]:
    """By place: quartiles of repetitions of what is `alike`, or means of the two metrics that a
    figure asks for."""
    repeated = study.quartiles(figure.y, keys, figure.where) if alike else []
    found = {place(row.place, keys): ValueBand(row.low, row.high, row.n) for row in repeated}
    if isinstance(figure, Line) and figure.band:
        low, high = (study.means(name, keys, figure.where) for name in figure.band)
        tops = {place(row.place, keys): row.mean for row in high}
        for row in low:
            if (at := place(row.place, keys)) in tops:
                found[at] = ValueBand(row.mean, tops[at], math.inf)
    return found


def _missing(
    study: Study,
    figure: Curves,
    naming: Naming,
    keys: Sequence[str],
    answered: set[tuple[str, ...]],
) -> Missing:
    """Saturated places without an answer to a line figure."""
    saturates = SATURATED in study.answered and figure.y != SATURATED
    if not isinstance(figure, Line) or not saturates:
        return {}
    found: dict[tuple[object, str], list[object]] = {}
    for row in naming.ordered(study.means(SATURATED, keys, figure.where)):
        here = row.place
        if row.mean > 0 and here[figure.x] is not None and place(here, keys) not in answered:
            panel = here[figure.row] if figure.row else None
            found.setdefault((panel, naming.label(here)), []).append(here[figure.x])
    return found

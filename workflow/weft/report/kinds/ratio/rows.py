"""Ratios of two series as rows: which series, where, and how far from 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from statistics import fmean
from typing import cast

from weft.analysis.comparison import AnswerRatio, Comparison, canonical
from weft.config.model.figures import Ratio
from weft.report.data.csv_text import csv_text
from weft.report.data.distinguishing_settings import place
from weft.report.data.draws import NOTE as LACKING
from weft.report.data.fit_errors import is_fitted
from weft.report.data.flagged import note
from weft.report.data.references import engine_of, named
from weft.report.data.series_names import split
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.settings import VARIANT
from weft.report.data.source import Study
from weft.report.data.thinning import NOTE, thinned
from weft.report.data.units import (
    Scales,
    counted,
    factor,
    is_logarithmic,
    key_label,
    listing,
    series_label,
    settings_label,
)


@dataclass(frozen=True, slots=True)
class ReferenceScatter:
    """How far replicates of the reference reach from their mean at one x, as factors."""

    panel: object
    x: str | float
    low: float = 1.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class RatioData:
    """Ratios in planned order; `y` is the ratio."""

    figure: Ratio
    rows: Sequence[SeriesValue]
    about: Sequence[str]
    """What the page says of the rows."""
    title: str
    """What is divided, as far as all series share it."""
    alone: bool
    """Whether it is."""
    text: str
    """The ratios as CSV."""
    scales: Scales
    scatter: Sequence[ReferenceScatter] = ()

    @property
    def log_x(self) -> bool:
        """Whether the x axis is logarithmic."""
        return is_logarithmic(self.figure.x, self.figure.log_x)

    @property
    def drawn(self) -> list[SeriesValue]:
        """Those of the rows that a screen can show."""
        return thinned(self.rows, self.log_x)

    @property
    def notes(self) -> list[str]:
        """What stands below the figure."""
        return [
            *self.about,
            *beyond(self.rows),
            *([NOTE] if len(self.drawn) < len(self.rows) else []),
        ]

    @property
    def legend(self) -> bool:
        """Whether there are series to distinguish."""
        return not self.alone or len({row.series for row in self.rows}) > 1

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        if self.rows:
            return None
        names = listing([*self.figure.divided, self.figure.to])
        return f"{names} have no values in common yet."

    def csv(self) -> str:
        """Ratios as CSV, values in stored units."""
        return self.text


def ratio_data(study: Study, figure: Ratio) -> RatioData:
    """The ratios that a figure asks for.

    Series are distinguished as those of lines are; both sides of a ratio agree in these settings.
    """
    found = named(study, figure)
    rows, notes = _series(study, figure, found) if found else ([], [])
    alone = _alone(found)
    title = _pair(found[0]) if alone else _shared(found)
    scatter = _scatter(study, figure) if figure.scatter and rows else []
    if scatter:
        said = (
            f"Band: replicates of {figure.to}, divided by their mean; the least and the greatest."
        )
        notes = [*notes, said]
    notes = [*notes, *_fit_notes(study, found)]
    if any(ratio.lacking for c in found for ratio in c.shown):
        notes = [*notes, LACKING]
    text = ratio_csv(study, found)
    return RatioData(figure, rows, notes, title, alone, text, study.scales, scatter)


def _fit_notes(study: Study, found: Sequence[Comparison]) -> list[str]:
    """Which ratios are no predictions, because the network was fitted to them."""
    fits = [
        is_fitted(study, c.metric, str(engine_of(study, c.of)), ratio.coordinates)
        for c in found for ratio in c.shown
    ]  # fmt: skip
    if not any(fits):
        return []
    which = "these values" if all(fits) else f"{sum(fits):,} of {counted(len(fits), 'value')}"
    return [f"The network was fitted to {which} of {found[0].to}: fits, and no predictions."]


def _scatter(study: Study, figure: Ratio) -> list[ReferenceScatter]:
    """How far replicates of the reference reach at each x; of several settings the farthest."""
    where = {**figure.where, "engine": figure.to}
    keys = list(dict.fromkeys([*study.swept, figure.x, *([figure.row] if figure.row else [])]))
    found: dict[tuple[object, object], ReferenceScatter] = {}
    for row in study.replicates(figure.y, keys, where):
        values, x = row.values, row.place[figure.x]
        mean = fmean(values)
        if len(values) < 2 or x is None or mean <= 0:
            continue
        panel = row.place[figure.row] if figure.row else None
        band = found.get((panel, x), ReferenceScatter(panel, x))
        low, high = min(band.low, min(values) / mean), max(band.high, max(values) / mean)
        found[panel, x] = ReferenceScatter(panel, x, low, high)
    return sorted(found.values(), key=attrgetter("x"))


def ratio_csv(study: Study, found: Sequence[Comparison]) -> str:
    """All ratios as CSV, values in stored units; `flag` is why one judges nothing."""
    rows = []
    for c in found:
        for r in c.shown:
            at = settings_label(place(study, r.coordinates))
            rows.append([c.metric, c.of, c.to, at, r.of, r.to, f"{r.ratio:.6g}", r.flag])
    return csv_text(["metric", "of", "to", "at", "value", "reference", "ratio", "flag"], rows)


def ratio_rows(study: Study, x: str, c: Comparison) -> list[SeriesValue]:
    """The ratios of one comparison that have a value of the key `x`."""
    return [
        SeriesValue(
            _pair(c),
            ANSWER,
            cast("str | float", r.coordinates[x]),
            r.ratio,
            flag=r.flag,
            at=settings_label(place(study, r.coordinates)),
        )
        for r in c.shown
        if r.coordinates.get(x) is not None
    ]


def _series(
    study: Study, figure: Ratio, found: Sequence[Comparison]
) -> tuple[list[SeriesValue], list[str]]:
    """Rows with `series` and `panel`, in planned order."""
    naming, left = split(study, figure)
    # Engine, variant and options are in the names of what is divided.
    keys = [
        k for k in naming.names if k not in ("engine", VARIANT) and not k.startswith("options.")
    ]
    rows: list[tuple[list[int], SeriesValue]] = []
    for c in found:
        mine = naming.by_engine.get(engine_of(study, c.of) or "", naming.names)
        here = [key for key in keys if key in mine]
        for row, ratio in zip(ratio_rows(study, figure.x, c), _usable(figure.x, c), strict=True):
            at = ratio.coordinates
            parts = [] if _alone(found) and here else [_side(c, found)]
            named = (
                [series_label(here, at, study.scales)]
                if any(at.get(k) is not None for k in here)
                else []
            )
            name = " · ".join([*parts, *named]) or _pair(c)
            panel = at.get(figure.row) if figure.row else None
            order = [figure.row, *keys] if figure.row else keys
            value = replace(row, series=name, panel=panel)
            rows.append(([_rank(study, key, at.get(key)) for key in order], value))
    rows.sort(key=lambda each: each[0])
    names = ", ".join(key_label(key).lower() for key in left)
    notes = [f"Marks of one series at the same place differ in {names}."] if left else []
    found_rows = [row for _, row in rows]
    return found_rows, [*notes, *note(found_rows)]


def beyond(rows: Sequence[SeriesValue]) -> list[str]:
    """How many marks that judge nothing lie farther from 1 than all that judge."""
    judging = [_far(row.y) for row in rows if not row.flag]
    farther = [_far(row.y) for row in rows if row.flag] if judging else []
    farther = [each for each in farther if each > max(judging)]
    if not farther:
        return []
    return [
        f"{counted(len(farther), 'mark')} that {'judges' if len(farther) == 1 else 'judge'} nothing"
        f" may lie beyond the axis, up to {factor(max(farther))}; the data have them."
    ]


def _far(ratio: float) -> float:
    return max(ratio, 1 / ratio) if ratio else math.inf


def _usable(x: str, c: Comparison) -> list[AnswerRatio]:
    return [ratio for ratio in c.shown if ratio.coordinates.get(x) is not None]


def _rank(study: Study, key: str, value: object) -> int:
    known = [canonical(each) for each in study.values.get(key, ())]
    return known.index(canonical(value)) if canonical(value) in known else len(known)


def _pair(c: Comparison) -> str:
    return f"{c.of} ÷ {c.to}"


def _side(c: Comparison, found: Sequence[Comparison]) -> str:
    """What distinguishes a comparison: what is divided, where all are divided by the same."""
    return c.of if len({each.to for each in found}) == 1 else _pair(c)


def _shared(found: Sequence[Comparison]) -> str:
    """`Answer ÷ hardware`, where all are divided by the same series."""
    references = {each.to for each in found}
    return f"Answer ÷ {references.pop()}" if len(references) == 1 else "Ratio"


def _alone(found: Sequence[Comparison]) -> bool:
    return len({_pair(c) for c in found}) == 1

"""Values that lie within a bound."""

from __future__ import annotations

from weft.analysis.bounds import HELD, MISSED, VOID
from weft.config.model.expectation import ValueExpected
from weft.report.answers.wording import at
from weft.report.data.aggregates import MeanValue
from weft.report.data.axes import SIZE
from weft.report.data.distinguishing_settings import place
from weft.report.data.settings import several
from weft.report.data.source import Study, Where
from weft.report.data.units import quantity
from weft.report.expected.completeness import unjudged
from weft.report.expected.limits import beyond, bound_of
from weft.report.expected.outcome import JudgedPart


def judged_values(study: Study, stated: ValueExpected, where: Where) -> JudgedPart:
    """Whether each value, which is the mean of its replicates, meets the bound.

    One value beyond it misses, whatever became of other points.
    """
    unit = study.metrics[stated.metric].unit
    bound = bound_of(stated, unit)
    rows = [
        row
        for row in study.means(stated.metric, ["engine", *study.swept, SIZE], where)
        if not row.flag and not row.crowded
    ]
    wrong = [row for row in rows if not bound.met(row.mean)]
    if wrong:
        worst = max(wrong, key=lambda row: abs(row.mean - (bound.nearest_end(row.mean) or 0.0)))
        also = f", and so at {len(wrong):,} of {len(rows):,} places" if len(rows) > 1 else ""
        text = (
            f"{quantity(worst.mean, unit)}{beyond(worst.mean, bound)}{_where(study, worst, where)}"
        )
        return JudgedPart(MISSED, f"{text}{also}")
    why = unjudged(study, stated.metric, where)
    if why or not rows:
        return JudgedPart(VOID, why or "no value")
    low, high = (extreme(row.mean for row in rows) for extreme in (min, max))
    shown = quantity(low, unit), quantity(high, unit)
    return JudgedPart(HELD, shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}")


def _where(study: Study, row: MeanValue, where: Where) -> str:
    """The place of a value, without what the statement says of it."""
    single = [key for key, value in where.items() if len(several(value)) == 1]
    return at([item for item in place(study, row.place) if item[0] not in single])

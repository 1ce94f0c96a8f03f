"""What an engine spends."""

from __future__ import annotations

from weft.analysis.bounds import HELD, MISSED, VOID
from weft.config.model.expectation import CostExpected
from weft.report.answers.cost import totals
from weft.report.data.references import engine_of, engine_series
from weft.report.data.source import Study
from weft.report.data.units import counted, quantity
from weft.report.expected.completeness import unjudged
from weft.report.expected.limits import beyond, bound_of
from weft.report.expected.outcome import JudgedPart


def judged_cost(study: Study, stated: CostExpected) -> JudgedPart:
    """Whether the cost of all points, or its share of that of another engine at the same points,
    meets the bound. Points without a result cost nothing, so they judge nothing."""
    named = [stated.cost.of, *([stated.cost.to] if stated.cost.to else [])]
    for engine in named:
        if why := unjudged(study, stated.metric, {**stated.where, "engine": engine}):
            return JudgedPart(VOID, f"{engine}: {why}" if len(named) > 1 else why)
    return _share(study, stated, stated.cost.to) if stated.cost.to else _sum(study, stated)


def _sum(study: Study, stated: CostExpected) -> JudgedPart:
    where = {**stated.where, "engine": stated.cost.of}
    rows = study.means(stated.metric, ["engine"], where)
    spent, points = sum(row.mean * row.n for row in rows), sum(row.n for row in rows)
    unit = study.metrics[stated.metric].unit
    bound = bound_of(stated, unit)
    verdict = HELD if bound.met(spent) else MISSED
    text = f"{quantity(spent, unit)}{beyond(spent, bound)} for {counted(points, 'point')}"
    return JudgedPart(verdict, text)


def _share(study: Study, stated: CostExpected, to: str) -> JudgedPart:
    """The highest share of any series of the engine, of the cheapest series of the other one."""
    named = (stated.cost.of, to)
    series = {
        label: answers
        for label, answers in engine_series(study, stated.metric, (stated.where,)).items()
        if engine_of(study, label) in named
    }
    costs, places = totals(series)
    ours, theirs = (
        [spent for label, spent in costs.items() if engine_of(study, label) == engine]
        for engine in named
    )
    if not places or not ours or not theirs or not min(theirs):
        return JudgedPart(VOID, "the two share no point whose costs can be compared")
    share, bound = max(ours) / min(theirs), bound_of(stated, "1")
    unit = study.metrics[stated.metric].unit
    both = f"{quantity(max(ours), unit)} against {quantity(min(theirs), unit)}"
    text = f"{share:.1%}{beyond(share, bound)}, {both} for {counted(places, 'place')}"
    return JudgedPart(HELD if bound.met(share) else MISSED, text)

"""An alternative that is better than each other one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from weft.analysis.bounds import HELD, MISSED, VOID
from weft.analysis.comparison import canonical
from weft.analysis.findings import BestFinding, Value, rankings
from weft.config.language.amounts import share_or_number
from weft.config.model.expectation import BestExpected
from weft.report.answers.best.facts import leads, place_of
from weft.report.answers.grid import GridPlace, alternative_name, grid
from weft.report.answers.wording import at
from weft.report.data.intervals import confidence
from weft.report.data.settings import VARIANT
from weft.report.data.source import Study, Where
from weft.report.data.units import factor, listing
from weft.report.expected.completeness import unjudged
from weft.report.expected.outcome import JudgedPart


def judged_best(study: Study, stated: BestExpected, where: Where) -> JudgedPart:
    """Whether the alternative leads alone at each place, by as much as is stated.

    One place where it does not misses, whatever became of other points.
    """
    key = competing(study, stated)
    if key is None:
        return JudgedPart(VOID, f"no point of the plan has {stated.best}")
    better = study.metrics[stated.metric].direction
    assert better != "neutral"
    values = grid(study, stated.metric, (where,), (key,))
    curves = values.curves([key], values.places([key]))
    name = alternative_name([key], {key: _written(study, key, stated.best)})
    ranked = rankings(_shared(curves, name), better, confidence(study))
    wrong = [each for each in ranked if each.leaders != (name,)]
    if wrong:
        return JudgedPart(MISSED, _not_best(name, wrong, len(ranked)))
    found = leads(ranked)
    least = 1 + share_or_number(stated.by) if stated.by is not None else 1.0
    if any(lead < least for lead in found):
        return JudgedPart(MISSED, f"it leads by {factor(found[0])} only")
    why = unjudged(study, stated.metric, where)
    if not why and stated.by is not None and len(found) < len(ranked):
        why = "a value is 0, of which there is no ratio"
    if why or not ranked:
        return JudgedPart(VOID, why or "no two alternatives have values at one place")
    return JudgedPart(HELD, f"it leads by {_leading(found)}" if found else "it leads")


def _leading(found: list[float]) -> str:
    least, most = factor(found[0]), factor(found[-1])
    return least if least == most else f"{least} to {most}"


def _shared(
    curves: Mapping[str, Mapping[GridPlace, Value]], name: str
) -> dict[str, dict[GridPlace, Value]]:
    """The curves at the places where the alternative has a value: it can not lead elsewhere."""
    here = curves.get(name, {})
    return {
        label: {place: value for place, value in curve.items() if place in here}
        for label, curve in curves.items()
    }


def competing(study: Study, stated: BestExpected) -> str | None:
    """The key whose values compete; None where no point has the alternative."""
    keys: Iterable[str] = [stated.among] if stated.among else [*study.swept, VARIANT]
    wanted = canonical(stated.best)
    having = (key for key in keys if any(canonical(v) == wanted for v in study.values.get(key, ())))
    return next(having, None)


def _written(study: Study, key: str, value: object) -> object:
    """The value as points have it."""
    wanted = canonical(value)
    return next((v for v in study.values[key] if canonical(v) == wanted), value)


def _not_best(name: str, wrong: list[BestFinding], total: int) -> str:
    """`minimal leads by ×1.20 at k = 4, and so at 2 of 6 places`."""
    first = max(wrong, key=lambda each: each.behind(name) or 1.0)
    here = at([item for item in place_of(first) if item[1] is not None])
    if name in first.leaders:
        others = listing(each for each in first.leaders if each != name)
        text = f"it does not differ from {others} by more than the scatter{here}"
    else:
        behind = first.behind(name)
        text = f"{first.best} is better{f' by {factor(behind)}' if behind else ''}{here}"
    return f"{text}, and so at {len(wrong):,} of {total:,} places" if total > 1 else text

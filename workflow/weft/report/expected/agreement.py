"""Two engines that give nearly the same."""

from __future__ import annotations

from weft.analysis.bounds import HELD, MISSED, VOID
from weft.analysis.comparison import AnswerRatio, Comparison
from weft.config.language.amounts import share_or_number
from weft.config.model.expectation import AgreementExpected
from weft.report.answers.question import PageSources
from weft.report.answers.wording import at
from weft.report.data.distinguishing_settings import place
from weft.report.data.references import (
    along_variants,
    comparisons,
    engine_of,
    engine_series,
)
from weft.report.data.source import Study
from weft.report.data.units import counted, deviation, quantity
from weft.report.expected.completeness import unjudged
from weft.report.expected.outcome import JudgedPart


def judged_agreement(page: PageSources, stated: AgreementExpected, metric: str) -> JudgedPart:
    """Whether all values are near those of the reference. One that is not misses, whatever became
    of other points. Values that a network was fitted to are no predictions, and judge nothing."""
    study, pair = page.study, stated.agreement
    within = share_or_number(pair.within)
    along = along_variants(page.figures, metric)
    every = comparisons(study, metric, page.references, (stated.where,), pair.to, along)
    of_pair = [c for c in every if engine_of(study, c.of) == pair.of and _is_to(study, c, pair.to)]
    found = [each for each in of_pair if not each.fitted]
    ratios = [(c, ratio) for c in found for ratio in c.ratios]
    far = [each for each in ratios if not _is_near(each[1], within)]
    if far:
        c, worst = max(far, key=lambda each: _factor(each[1]))
        unit = study.metrics[metric].unit
        also = f", and so at {len(far):,} of {len(ratios):,} places" if len(ratios) > 1 else ""
        both = f"{quantity(worst.of, unit)} against {quantity(worst.to, unit)} of {c.to}"
        where = at(place(study, worst.coordinates))
        return JudgedPart(MISSED, f"{deviation(_factor(worst))} off, {both}{where}{also}")
    engines = [pair.of, *([pair.to] if pair.to in study.engines else [])]
    for engine in engines:
        if why := unjudged(study, metric, {**stated.where, "engine": engine}):
            return JudgedPart(VOID, f"{engine}: {why}")
    if zero := _without_ratio(study, metric, stated, engines):
        return JudgedPart(VOID, zero)
    if not ratios:
        fitted = "; the network was fitted to them" if of_pair else ""
        return JudgedPart(VOID, f"no values to compare{fitted}")
    most = max(_factor(ratio) for _, ratio in ratios)
    return JudgedPart(HELD, f"at most {deviation(most)} off at {counted(len(ratios), 'place')}")


def _is_to(study: Study, c: Comparison, to: str) -> bool:
    return engine_of(study, c.to) == (to if to in study.engines else None)


def _factor(ratio: AnswerRatio) -> float:
    return max(ratio.ratio, 1 / ratio.ratio)


def _is_near(ratio: AnswerRatio, within: float) -> bool:
    return _factor(ratio) <= 1 + within


def _without_ratio(
    study: Study, metric: str, stated: AgreementExpected, engines: list[str]
) -> str | None:
    """A value of 0 has no ratio, so that no comparison would see it."""
    for engine in engines:
        where = {**stated.where, "engine": engine}
        for answers in engine_series(study, metric, (where,)).values():
            zeros = [each for each in answers if each.value <= 0]
            if zeros:
                here = at(place(study, zeros[0].coordinates))
                return f"{engine} gives 0{here}, of which there is no ratio"
    return None

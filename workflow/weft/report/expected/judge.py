"""Every statement of an experiment beside what came out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.config.model.expectation import (
    AgreementExpected,
    AlongExpected,
    BestExpected,
    ChoicesExpected,
    CostExpected,
    Expectation,
    ValueExpected,
)
from weft.plan.report import PlannedExpectation
from weft.report.answers.question import PageSources
from weft.report.answers.wording import name
from weft.report.data.axes import SIZE
from weft.report.data.source import Study, Where
from weft.report.expected.agreement import judged_agreement
from weft.report.expected.along import judged_along
from weft.report.expected.best import competing, judged_best
from weft.report.expected.choices import judged_maps
from weft.report.expected.cost import judged_cost
from weft.report.expected.outcome import ExpectationOutcome, JudgedPart, together
from weft.report.expected.value import judged_values
from weft.report.expected.words import statement


def judged_expectations(page: PageSources) -> list[ExpectationOutcome]:
    """The statements in the order of the file, each with its verdict."""
    return [_outcome(page, each) for each in page.study.plan.report.expect]


def _outcome(page: PageSources, stated: PlannedExpectation) -> ExpectationOutcome:
    found = together(_found(page, stated))
    words = statement(page.study, stated.statement)
    return ExpectationOutcome(stated.written, words, found.verdict, found.text)


def _found(page: PageSources, stated: PlannedExpectation) -> Iterator[tuple[str, JudgedPart]]:
    """What each engine's answers, metric or map makes of a statement, with its name."""
    study, asked = page.study, stated.statement
    if isinstance(asked, AgreementExpected):
        for metric in stated.metrics:
            yield name(study, metric), judged_agreement(page, asked, metric)
    elif isinstance(asked, CostExpected):
        yield asked.cost.of, judged_cost(study, asked)
    elif isinstance(asked, ChoicesExpected):
        yield from judged_maps(page, asked)
    else:
        for engine in _varying(study, asked, stated.engines):
            where: Where = {**asked.where, "engine": engine}
            if isinstance(asked, ValueExpected):
                yield engine, judged_values(study, asked, where)
            elif isinstance(asked, BestExpected):
                yield engine, judged_best(study, asked, where)
            elif isinstance(asked, AlongExpected):
                yield engine, judged_along(study, asked, where)


def _varying(study: Study, asked: Expectation, engines: Sequence[str]) -> Sequence[str]:
    """The engines whose planned points differ in what the statement compares: an option of one
    engine says nothing of the others."""
    key = None
    if isinstance(asked, BestExpected):
        key = competing(study, asked)
    elif isinstance(asked, AlongExpected) and asked.along != SIZE:
        key = asked.along
    if key is None:
        return engines
    return [
        engine
        for engine in engines
        if len({repr(s.get(key)) for s in study.chosen({"engine": engine})} - {repr(None)}) > 1
    ]

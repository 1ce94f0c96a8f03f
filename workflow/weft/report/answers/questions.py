"""What is asked: by `answer:` of the experiment, else what its sweep and its figures ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from weft.config.model.answer import (
    Agreement,
    Along,
    AmongSeries,
    AnswerRequest,
    Best,
    Choices,
    Cost,
    listed,
)
from weft.config.model.figure import Figure
from weft.config.model.figures import Curves
from weft.report.answers.agreement.question import AgreementAsk
from weft.report.answers.along.question import AlongAsk
from weft.report.answers.amounts import SATURATED
from weft.report.answers.best.question import BestAsk
from weft.report.answers.choices import ChoicesAsk
from weft.report.answers.cost import CostAsk
from weft.report.answers.derived import derived
from weft.report.answers.question import Ask, PageSources, SeriesAsk
from weft.report.answers.series_of_figure import like_figure
from weft.report.data.references import metric_wheres, report_metrics
from weft.report.data.source import Where

CPU = "cpu_s"
SeriesAskT = TypeVar("SeriesAskT", bound=SeriesAsk)


def asked(page: PageSources) -> list[Ask]:
    """The questions of the experiment, else those that follow from its figures, each once."""
    given = page.study.plan.report.answer
    found = [ask for request in given for ask in _given(page, request)] if given else derived(page)
    return list({repr(ask): ask for ask in found}.values())


def _given(page: PageSources, request: AnswerRequest) -> Sequence[Ask]:
    if isinstance(request, Cost):
        wheres = (request.where,) if request.where else ()
        return [CostAsk(request.of or CPU, wheres, request.to, request.within, is_asked=True)]
    if isinstance(request, Choices):
        return [ChoicesAsk(metric) for metric in _metrics(page, request)]
    if isinstance(request, Agreement):
        metrics, each = _metrics(page, request), tuple(listed(request.each))
        bar = request.to, request.within, request.worst
        return [AgreementAsk(m, _wheres(page, request, m), *bar, each) for m in metrics]
    if isinstance(request, Along):
        return _along(page, request)
    assert isinstance(request, Best)
    return [_series(page, request, BestAsk, m) for m in _directed(page, request)]


def _along(page: PageSources, request: Along) -> list[AlongAsk]:
    """A question with the fields that the experiment gives."""
    found = [_series(page, request, AlongAsk, metric) for metric in _directed(page, request)]
    return [
        replace(
            ask,
            within=request.within,
            at_least=request.at_least,
            at_most=request.at_most,
            to_first=request.to == "first",
        )
        for ask in found
    ]


def _series(
    page: PageSources, request: AmongSeries, kind: Callable[..., SeriesAskT], metric: str
) -> SeriesAskT:
    """A question along the axis of the first figure of `metric`, with what is asked of it."""
    figure = next((f for f in _curves(page.figures) if f.y == metric), None)
    ask = like_figure(page.study, kind, metric, figure)
    # A key that is compared is not an axis, and gets no sentence of its own.
    compared = tuple(listed(request.among))
    each = tuple(k for k in ask.each if k not in compared)
    over = None if ask.over in compared else ask.over
    return replace(
        ask,
        over=request.over or over,
        among=ask.among if request.among is None else compared,
        each=each if request.each is None else tuple(listed(request.each)),
        wheres=_wheres(page, request, metric),
    )


def _metrics(page: PageSources, request: AnswerRequest) -> list[str]:
    return [request.of] if request.of else report_metrics(page.study, page.figures)


def _directed(page: PageSources, request: AnswerRequest) -> list[str]:
    """The metric that is asked for, else the first one of the page of which one value is better."""
    if request.of:
        return [request.of]
    metrics = report_metrics(page.study, page.figures)
    if isinstance(request, Along) and SATURATED in page.study.answered:
        return metrics[:1]
    return [m for m in metrics if page.study.metrics[m].direction != "neutral"][:1]


def _wheres(page: PageSources, request: AnswerRequest, metric: str) -> tuple[Where, ...]:
    return (request.where,) if request.where else metric_wheres(page.figures, metric)


def _curves(figures: Sequence[Figure]) -> list[Curves]:
    """The figures whose curves can be compared."""
    return [figure for figure in figures if isinstance(figure, Curves)]

"""What the sweep and the figures of an experiment ask, where it has no `answer:` of its own.

Named alternatives: which is best, and by how much. A numeric axis: what it changes. A load: where
the network saturates. Engines alone, or a reference that the report names: which model suffices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.config.model.figure import Figure
from weft.config.model.figures import BestChoice, Curves, Ratio
from weft.report.answers.agreement.question import AgreementAsk
from weft.report.answers.along.question import MOST_STEPS, AlongAsk
from weft.report.answers.amounts import AMOUNTS, LOAD, SATURATED
from weft.report.answers.best.question import BestAsk
from weft.report.answers.choices import ChoicesAsk
from weft.report.answers.cost import CostAsk
from weft.report.answers.question import Ask, PageSources
from weft.report.answers.series_of_figure import like_figure
from weft.report.data.references import (
    metric_wheres,
    published_series,
    report_metrics,
    report_references,
)
from weft.report.data.source import Study

CPU = "cpu_s"
#: What networks get, and nobody chooses.
_TRAFFIC = ("workload.pattern",)


def derived(page: PageSources) -> list[Ask]:
    """The questions in the order in which a reader asks them."""
    study, figures = page.study, page.figures
    metrics = report_metrics(study, figures)
    plotted = [f for f in _curves(figures) if f.y in metrics]
    judged = any(published_series(study, m, report_references(figures)) for m in metrics)
    choices: list[Ask] = [ChoicesAsk(metric) for metric in _judging(figures)]
    loads: dict[str, Ask] = {}
    series: list[Ask] = []
    for figure in plotted:
        if figure.x == LOAD and SATURATED in study.answered:
            ask = like_figure(study, AlongAsk, SATURATED, figure)
            loads.setdefault(repr(figure.where), ask)
        elif not judged and study.metrics[figure.y].direction != "neutral":
            series.append(_of_figure(study, figure))
    models: list[Ask] = [AgreementAsk(m, metric_wheres(figures, m)) for m in metrics]
    costs: list[Ask] = [CostAsk(CPU)] if any(f.metric == CPU for f in figures) else []
    return [*choices, *loads.values(), *models, *costs, *series]


def _judging(figures: Sequence[Figure]) -> list[str]:
    """The metrics of maps of choices that others judge."""
    judged = (f for f in figures if isinstance(f, BestChoice) and f.is_judged)
    return list(dict.fromkeys(f.metric for f in judged))


def _curves(figures: Sequence[Figure]) -> list[Curves]:
    return [f for f in figures if isinstance(f, Curves) and not isinstance(f, Ratio)]


def _of_figure(study: Study, figure: Curves) -> Ask:
    """Which alternative of a figure is best; without alternatives, what its axis changes."""
    ask = like_figure(study, BestAsk, figure.y, figure)
    chosen = study.chosen(figure.where)
    differing = [k for k in ask.among if len({repr(s.get(k)) for s in chosen}) > 1]
    words = any(isinstance(s.get(figure.x), str) for s in chosen)
    compares_x = words and figure.x not in ("engine", *_TRAFFIC)
    traffic = tuple(k for k in differing if k in _TRAFFIC)
    choices = tuple(k for k in differing if k not in _TRAFFIC)
    if traffic and (compares_x or choices):
        # Networks are compared under each traffic, and not one traffic with another.
        among = (figure.x, *choices) if compares_x else choices
        each = (*ask.each, *(k for k in traffic if k not in ask.each))
        return replace(ask, among=among, each=each, over=None if compares_x else ask.over)
    if not differing and compares_x:
        return replace(ask, among=(figure.x,), over=None)
    if _has_numbers_alone(study, figure):
        return like_figure(study, AlongAsk, figure.y, figure)
    return ask


def _has_numbers_alone(study: Study, figure: Curves) -> bool:
    """Whether only the axis differs, by a few numbers that are no amounts of work."""
    chosen = study.chosen(figure.where)
    swept = [key for key in study.swept if key not in ("engine", figure.x)]
    if figure.x in AMOUNTS or any(len({repr(s.get(key)) for s in chosen}) > 1 for key in swept):
        return False
    values = {s.get(figure.x) for s in chosen} - {None}
    numbers = {value for value in values if isinstance(value, int | float)}
    return numbers == values and 1 < len(numbers) <= MOST_STEPS

"""What the sweep and the figures of an experiment ask, where it has no `answer:` of its own.

Named alternatives: which is best, and by how much. A numeric axis: what it changes. A load: where
the network saturates, and how latencies grow before. Several engines: which model suffices, at what
cost. Sizes, loads, ranks and arguments are what networks get: they never compete.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from weft.config.model.figure import Figure
from weft.config.model.figures import BestChoice, Curves, Ratio, Scaling
from weft.report.answers.agreement.question import AgreementAsk
from weft.report.answers.along.latency import LatencyAsk
from weft.report.answers.along.question import AlongAsk
from weft.report.answers.amounts import AMOUNTS, SATURATED
from weft.report.answers.best.question import BestAsk
from weft.report.answers.choices import ChoicesAsk
from weft.report.answers.cost import CostAsk
from weft.report.answers.effects import EffectsAsk
from weft.report.answers.levels import level_asks
from weft.report.answers.price import PriceAsk
from weft.report.answers.question import Ask, PageSources, SeriesAsk
from weft.report.answers.series_of_figure import like_figure
from weft.report.answers.together import TogetherAsk
from weft.report.data.asked_metrics import question_words
from weft.report.data.axes import FAILURES, LOAD, PATTERN, PROGRAM, SIZE, WORKLOAD
from weft.report.data.references import (
    metric_wheres,
    published_series,
    report_metrics,
    report_references,
)
from weft.report.data.source import Row, Study
from weft.report.data.tied_numbers import tied_to
from weft.tables.metrics import COSTS

CPU = "cpu_s"
#: The share of its best value within which a metric has levelled off.
LEVEL = 0.05
ARGUMENTS = "workload.arguments"
_TIMES = ("s", "cycle")
#: What networks get, and nobody chooses.
_GIVEN = (PATTERN, WORKLOAD, ARGUMENTS, "workload.ranks", *AMOUNTS)


def derived(page: PageSources) -> list[Ask]:
    """The questions in the order in which a reader asks them."""
    study, figures = page.study, page.figures
    metrics = report_metrics(study, figures)
    choices = [ChoicesAsk(metric) for metric in _judging(figures)]
    loads, latencies, series = _of_curves(study, figures, metrics)
    reached = level_asks(study, figures)
    divided = _divided(study, figures)
    models = [
        AgreementAsk(
            m,
            metric_wheres(figures, m),
            divided.get(m),
            each=_panels(study, figures, m),
            along=next((f.x for f in figures if isinstance(f, Curves) and f.metric == m), None),
        )
        for m in metrics
    ]
    is_drawn = any(f.metric == CPU for f in figures)
    to = next(iter(divided.values()), None)
    costs = [CostAsk(CPU, to=to)] if is_drawn or len(study.engines) > 1 else []
    if figures and all(f.metric in COSTS for f in figures):
        return [replace(each, judges=False) for each in costs]
    # A question along sizes alone has no more to say than from which value to which they run.
    telling = [ask for ask in series if not isinstance(ask, BestAsk) or ask.among]
    first = [*choices, *loads, *reached]
    if study.plan.report.reference or divided:
        return [*first, *models, *costs, *latencies, *series]
    rest = [ask for ask in series if ask not in telling]
    # Whoever states prices asks what they buy.
    bought = [
        PriceAsk(ask.of, each=ask.each, wheres=ask.wheres)
        for ask in series[:1]
        if isinstance(ask, SeriesAsk)
    ]
    # Pages show a sentence of each of the first two questions on top.
    top = [*telling[:1], *bought]
    top = top[::-1] if question_words(study).asks_price else top
    asked = _second(study, telling)
    left = [ask for ask in telling[1:] if ask not in asked]
    return [*first, *top, *asked, *models, *latencies, *costs, *left, *rest]


def _second(study: Study, telling: Sequence[Ask]) -> list[Ask]:
    """What the same figure also answers: the course along a number that somebody chooses, or that
    the question asks; what comes first, if that is not the course. Of several workloads the same of
    the others."""
    second = next((ask for ask in telling[1:] if ask.of == telling[0].of), None)
    if second is None and any(len(study.values.get(key, ())) > 1 for key in (WORKLOAD, PROGRAM)):
        # Each workload has a metric of its own, and the question is about all of them.
        return list({ask.of: ask for ask in reversed(telling[1:])}.values())[::-1]
    if isinstance(second, AlongAsk):
        is_chosen = second.over is not None and not second.over.startswith("workload.")
        return [second] if is_chosen or question_words(study).asks_course else []
    return [second] if second and question_words(study).asks_course_first else []


def _divided(study: Study, figures: Sequence[Figure]) -> dict[str, str]:
    """By metric the engine by which a figure divides the others: whoever draws that asks how far
    they are from it."""
    drawn = [f for f in figures if isinstance(f, Ratio) and f.to in study.engines]
    return {figure.metric: figure.to for figure in reversed(drawn)}


def _panels(study: Study, figures: Sequence[Figure], metric: str) -> tuple[str, ...]:
    """The key whose values have a panel each in the first figure of `metric` that has panels: a
    model may suffice in one and not in another. None beside published numbers."""
    if published_series(study, metric, report_references(figures)):
        return ()
    drawn = (f for f in figures if isinstance(f, Curves) and f.metric == metric and f.row)
    figure = next(drawn, None)
    if figure is None or figure.row is None or figure.row in ("engine", figure.x):
        return ()
    # Sizes are an axis inside points, which differ in them wherever a figure has panels of them.
    if figure.row == SIZE:
        return (SIZE,)
    return (figure.row,) if _Swept(study.chosen(figure.where)).varies(figure.row) else ()


def _judging(figures: Sequence[Figure]) -> list[str]:
    """The metrics of maps of choices that others judge."""
    judged = (f for f in figures if isinstance(f, BestChoice) and f.is_judged)
    return list(dict.fromkeys(f.metric for f in judged))


def _of_curves(
    study: Study, figures: Sequence[Figure], metrics: Sequence[str]
) -> tuple[list[Ask], list[Ask], list[Ask]]:
    """The questions where networks saturate, how latencies grow before, and those of other figures
    with curves."""
    judged = any(published_series(study, m, report_references(figures)) for m in metrics)
    loads: dict[str, Ask] = {}
    latencies: list[Ask] = []
    series: list[list[Ask]] = []
    for drawn in figures:
        figure = drawn.times if isinstance(drawn, Scaling) else drawn
        if not isinstance(figure, Curves) or isinstance(figure, Ratio) or figure.y not in metrics:
            continue
        if figure.x == LOAD and SATURATED in study.answered:
            ask = like_figure(study, AlongAsk, SATURATED, figure)
            loads.setdefault(repr(figure.where), ask)
            if study.metrics[figure.y].unit in _TIMES:
                latencies.append(like_figure(study, LatencyAsk, figure.y, figure))
        elif not judged and study.metrics[figure.y].direction != "neutral":
            series.append(_of_figure(study, figure))
    return [*loads.values()], latencies, [ask for asks in series for ask in asks]


@dataclass(frozen=True, slots=True)
class _Swept:
    """The points of a figure, and what their settings differ in."""

    chosen: Sequence[Row]

    def varies(self, key: str) -> bool:
        return len({repr(s.get(key)) for s in self.chosen}) > 1

    def has_numbers(self, key: str) -> bool:
        """Whether all values are numbers, of those that have one."""
        values = {s.get(key) for s in self.chosen} - {None}
        return bool(values) and all(
            isinstance(v, int | float) and not isinstance(v, bool) for v in values
        )


def _tied(
    study: Study, swept: _Swept, keys: Sequence[str], given: Collection[str]
) -> tuple[str, ...]:
    """The numbers that somebody chooses, and that vary together with the first of `keys` that has
    such; in planned order."""
    for key in keys:
        others = [k for k in study.swept if k not in given]
        mine = [settings for settings in swept.chosen if settings.get(key) is not None]
        if key in others and (tied := tied_to(mine, key, others)):
            return tuple(k for k in others if k == key or k in tied)
    return ()


def _end(study: Study) -> float | None:
    """How near values are that no longer change, where the question asks from where on."""
    return LEVEL if question_words(study).asks_end else None


def _of_figure(study: Study, figure: Curves) -> list[Ask]:
    """Which alternative of a figure is best, then what its axis changes, if somebody chooses it."""
    ask = like_figure(study, BestAsk, figure.y, figure)
    swept, axis = _Swept(study.chosen(figure.where)), figure.x
    differing = [k for k in ask.among if swept.varies(k)]
    if not differing:
        # Of very many series a figure shows means, but its points still differ.
        left = study.distinguishing((axis, *ask.each))
        differing = [k for k in left if swept.varies(k)]
    # Numbers of a workload say how much it is, or how it comes.
    amounts = [k for k in (axis, *study.swept) if k.startswith("workload.")]
    given = {*_GIVEN, *filter(swept.has_numbers, amounts)}
    is_chosen = axis != "engine" and axis not in given and swept.varies(axis)
    is_numeric = swept.has_numbers(axis)
    if tied := _tied(study, swept, [*([axis] if is_chosen else []), *differing], given):
        rest = tuple(k for k in differing if k not in (*tied, *given))
        over = None if axis in tied else axis
        among = (*tied, *rest)
        return [TogetherAsk(ask.of, over, among, ask.each, ask.wheres, tied=tied)]
    # Beside a number that somebody chooses, programs are what the network gets.
    given |= {PROGRAM} if is_chosen and is_numeric else set()
    choices = tuple(k for k in differing if k not in given)
    named = [k for k in choices if not swept.has_numbers(k)]
    patterns = tuple(k for k in differing if k == PATTERN and k not in ask.each)
    if is_chosen and not is_numeric:
        return [replace(ask, among=(axis, *choices), each=(*ask.each, *patterns), over=None)]
    # Keys that the figure averages over, because they have many values, count as well.
    apart = [k for k in study.distinguishing((axis, *ask.each)) if swept.varies(k)]
    every = dict.fromkeys([*choices, *(k for k in apart if k not in given)])
    numbers = tuple(filter(swept.has_numbers, every))
    if choices and not named and (is_chosen or 1 < len(numbers) == len(every)):
        over = axis if is_chosen else None
        return [EffectsAsk(ask.of, over, numbers, ask.each, ask.wheres, within=_end(study))]
    has_course = (is_numeric or axis == ARGUMENTS) and swept.varies(axis) and axis not in AMOUNTS
    course = replace(like_figure(study, AlongAsk, figure.y, figure), within=_end(study))
    along: list[Ask] = [course] if has_course else []
    if choices:
        best = replace(ask, among=choices, each=(*ask.each, *patterns))
        # Of what fails, the first question is what is lost.
        is_first = axis.startswith(FAILURES) or question_words(study).asks_course_first
        return [*along, best] if is_first else [best, *along]
    return along or [replace(ask, among=())]

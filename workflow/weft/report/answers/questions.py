"""What is asked: by `answer:` of the experiment, else what its figures show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from weft.config.model.answer import (
    QUESTIONS,
    Agreement,
    AmongSeries,
    AnswerRequest,
    Choices,
    Convergence,
    Cost,
    Course,
    Pulses,
    Saturation,
    Threshold,
    listed,
)
from weft.config.model.figure import Figure
from weft.config.model.figures import BestChoice, Curves, Ratio
from weft.report.data.axes import SIZE, SIZE_KEY
from weft.report.data.references import (
    metric_wheres,
    published_series,
    report_metrics,
    report_references,
)
from weft.report.data.series_names import split
from weft.report.data.settings import several
from weft.report.data.source import NOWHERE, Study, Where

SATURATED = "saturated"
LOAD = "workload.injection_rate"
CPU = "cpu_s"
#: What networks get, and nobody chooses.
_TRAFFIC = ("workload.pattern",)
#: A sentence names so many changes along an axis.
_MOST_STEPS = 6
#: How much they get: the smallest amount always takes the least time.
AMOUNTS = (SIZE, SIZE_KEY, LOAD)


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to the values of the metric `of`; `wheres` choose them, any of them suffices.

    `among` are the keys whose values are compared, `over` the axis along which is looked, and
    each value of the keys `each` has a sentence of its own, or in an agreement an engine. Without
    `wheres` a question about the cost is about all points.
    """

    kind: str
    of: str
    over: str | None = None
    among: tuple[str, ...] = ()
    each: tuple[str, ...] = ()
    wheres: tuple[Where, ...] = (NOWHERE,)
    to: str | None = None
    within: float | None = None
    worst: float | None = None
    at_least: float | None = None
    at_most: float | None = None


def asked(study: Study, figures: Sequence[Figure]) -> list[Ask]:
    """The questions of the experiment, else those that follow from its figures."""
    given = study.plan.report.answer
    found = [ask for entry in given for ask in _given(study, figures, entry)]
    found = found if given else _derived(study, figures)
    return list({repr(ask): ask for ask in found}.values())


def _given(study: Study, figures: Sequence[Figure], given: AnswerRequest) -> list[Ask]:
    if isinstance(given, Cost):
        ask = Ask("cost", given.of or CPU, wheres=(), to=given.to, within=given.within)
        return [replace(ask, wheres=(given.where,)) if given.where else ask]
    if isinstance(given, Pulses):
        return [Ask("pulses", "link_throughput_bytes_per_s")]
    kind = next(name for name, model in QUESTIONS.items() if type(given) is model)
    metrics = [given.of] if given.of else report_metrics(study, figures)
    if not given.of and not isinstance(given, Agreement | Saturation | Choices):
        metrics = [m for m in metrics if study.metrics[m].direction != "neutral"][:1]
    found = []
    for metric in metrics:
        wheres = (given.where,) if given.where else metric_wheres(figures, metric)
        figure = next((f for f in _curves(figures) if f.y == metric), None)
        ask = replace(_like_figure(study, kind, metric, figure), wheres=wheres)
        found.append(_narrowed(ask, given))
    return found if given.of else _one_of_loads(study, found)


def _one_of_loads(study: Study, asks: Sequence[Ask]) -> list[Ask]:
    """`asks`, with only one about the loads at which networks saturate: all metrics share it."""
    loads = [ask for ask in asks if ask.kind == "saturation" and ask.over == LOAD]
    if SATURATED not in study.answered or len(loads) < 2:
        return list(asks)
    chosen = {repr(where): where for ask in loads for where in ask.wheres}
    one = replace(loads[0], wheres=tuple(chosen.values()))
    return [one, *(ask for ask in asks if ask not in loads)]


def _narrowed(ask: Ask, given: AnswerRequest) -> Ask:
    """`ask` with the fields that the experiment gives."""
    if isinstance(given, Agreement | Saturation | Course | Convergence):
        ask = replace(ask, within=given.within)
    if isinstance(given, Threshold):
        ask = replace(ask, at_least=given.at_least, at_most=given.at_most)
    if isinstance(given, Agreement):
        return replace(ask, to=given.to, worst=given.worst, each=tuple(listed(given.each)))
    if not isinstance(given, AmongSeries):
        return ask
        # A key that is compared is not an axis, and gets no sentence of its own.
    compared = tuple(listed(given.among))
    each = tuple(k for k in ask.each if k not in compared)
    over = None if ask.over in compared else ask.over
    return replace(
        ask,
        over=given.over or over,
        among=ask.among if given.among is None else compared,
        each=each if given.each is None else tuple(listed(given.each)),
    )


def _curves(figures: Sequence[Figure]) -> list[Curves]:
    """The figures whose curves can be compared."""
    return [figure for figure in figures if isinstance(figure, Curves)]


def _like_figure(study: Study, kind: str, metric: str, figure: Curves | None) -> Ask:
    """A question about `metric` along the axis, and among the series, of `figure`."""
    if figure is None:
        sizes = study.answered.get(metric, 0) > 1
        return Ask(kind, metric, SIZE if sizes else next(iter(study.swept), None))
    names = tuple(k for k in split(study, figure)[0].names if k not in ("engine", figure.x))
    each = (figure.row,) if figure.row and figure.row != "engine" else ()
    return Ask(kind, metric, figure.x, names, each, (figure.where,))


def _derived(study: Study, figures: Sequence[Figure]) -> list[Ask]:
    """Choices, agreement, saturation, the best series of each figure, and what engines cost where
    a figure shows that, as far as they apply."""
    found: list[Ask] = []
    metrics = report_metrics(study, figures)
    plotted = [f for f in _curves(figures) if f.y in metrics and not isinstance(f, Ratio)]
    judged = any(published_series(study, m, report_references(figures)) for m in metrics)
    loads: dict[str, Ask] = {}
    for figure in plotted:
        if figure.x == LOAD and SATURATED in study.answered:
            ask = _like_figure(study, "saturation", SATURATED, figure)
            loads.setdefault(repr(figure.where), ask)
        elif not judged:
            found.append(_best(study, figure))
    found += loads.values()
    found += [Ask("agreement", m, wheres=metric_wheres(figures, m)) for m in metrics]
    judging = {f.metric: None for f in figures if isinstance(f, BestChoice) and f.is_judged}
    found += [Ask("choices", metric) for metric in judging]
    if any(figure.metric == CPU for figure in figures):
        found.append(Ask("cost", CPU, wheres=()))
    kinds = ("choices", "saturation", "agreement", "cost", "best", "change")
    found.sort(key=lambda ask: kinds.index(ask.kind))
    return [ask for ask in found if study.metrics[ask.of].direction != "neutral"
            or ask.kind in ("agreement", "choices")]  # fmt: skip


def _best(study: Study, figure: Curves) -> Ask:
    """Which alternative of a figure is best; without alternatives, what its axis changes."""
    ask = _like_figure(study, "best", figure.y, figure)
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
        return replace(ask, kind="change")
    return ask


def _has_numbers_alone(study: Study, figure: Curves) -> bool:
    """Whether only the axis differs, by a few numbers that are no amounts of work."""
    chosen = study.chosen(figure.where)
    swept = [key for key in study.swept if key not in ("engine", figure.x)]
    if figure.x in AMOUNTS or any(len({repr(s.get(key)) for s in chosen}) > 1 for key in swept):
        return False
    values = {s.get(figure.x) for s in chosen} - {None}
    numbers = {value for value in values if isinstance(value, int | float)}
    return numbers == values and 1 < len(numbers) <= _MOST_STEPS


def filters(ask: Ask) -> list[tuple[str, object]]:
    """What all values of a question have in common by its filter, where that is one value."""
    if len(ask.wheres) != 1:
        return []
    return [
        (key, value) for key, value in ask.wheres[0].items()
        if len(several(value)) == 1 and key not in ("engine", *ask.among)
    ]  # fmt: skip

"""The figures of a page: those that its experiment asks for, else those that show its answer."""

from __future__ import annotations

from collections.abc import Sequence

from weft.config.model.figure import Figure
from weft.config.model.figures import Bar, Curves, Line, Scaling
from weft.report.data.asked_metrics import asked_metrics, question_words
from weft.report.data.axes import LOAD, PATTERN, RANKS, SIZE
from weft.report.data.settings import follows, is_kind
from weft.report.data.settings_in_words import key_name
from weft.report.data.source import Study
from weft.report.data.tied_numbers import tied_to
from weft.report.data.units import listing

#: Two values make no curve.
_PAIR = 2


def study_figures(study: Study) -> Sequence[Figure]:
    """The figures the experiment asks for, else those that show its answer."""
    return study.plan.report.figures or default_figures(study)


def default_figures(study: Study) -> list[Figure]:
    """What a report shows when its experiment names no figures: times over ranks also as what more
    ranks gain, where no size of a message gives each of them as much to do."""
    curves = [metric_figure(study, name) for name in asked_metrics(study)]
    times = [each.y for each in curves if each.x == RANKS and study.metrics[each.y].unit == "s"]
    shared = [metric for metric in times if not study.answered[metric]]
    return [*curves, *(Scaling(of=metric) for metric in shared)]


def metric_figure(study: Study, metric: str) -> Curves:
    """Over sizes, else over loads, else over the first swept numbers; bars over words alone."""
    if study.answered[metric] > 1:
        return Line(x=SIZE, y=metric)
    numeric = [key for key in study.swept if _has_numbers(study, key)]
    words = [key for key in study.swept if key not in numeric]
    # A number that each of the networks has of its own is no axis.
    kinds = [key for key in words if is_kind(key)]
    numeric = [k for k in numeric if not (kinds and _belongs(study, k, ["engine", *words]))]
    if not numeric:
        return Bar(x=next(iter([*kinds, *words]), "engine"), y=metric)
    x = LOAD if LOAD in numeric else _axis(study, numeric)
    # Patterns alone are lines of one panel.
    others = len(words) > 1 or len(numeric) > 1 or len(study.engines) > 1
    title = None
    if tied := tied_to(study.settings, x, study.swept):
        title = f"{study.metrics[metric].label} by {listing(map(key_name, [x, *tied]))}"
    return Line(x=x, y=metric, row=PATTERN if PATTERN in words and others else None, title=title)


def _axis(study: Study, numeric: Sequence[str]) -> str:
    """The number that the question names, else the first of which there are more than two."""
    words = question_words(study)

    def rank(key: str) -> tuple[bool, bool]:
        return words.names(key), len(study.values[key]) > _PAIR

    return max(numeric, key=rank)


def _belongs(study: Study, key: str, words: Sequence[str]) -> bool:
    return key.startswith("topology") and follows(study.settings, key, words)


def _has_numbers(study: Study, key: str) -> bool:
    values = [value for value in study.values.get(key, ()) if value is not None]
    numbers = (isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return len(values) > 1 and all(numbers)

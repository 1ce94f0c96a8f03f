"""The figures of a page: those that its experiment asks for, else a sensible few."""

from __future__ import annotations

from collections.abc import Sequence

from weft.config.model.figure import Figure
from weft.config.model.figures import Bar, Curves, Line, Scaling
from weft.report.data.axes import LOAD, PATTERN, RANKS, SIZE
from weft.report.data.metrics import leading
from weft.report.data.source import Study


def study_figures(study: Study) -> Sequence[Figure]:
    """The figures the experiment asks for, else a sensible few."""
    return study.plan.report.figures or default_figures(study)


def default_figures(study: Study) -> list[Figure]:
    """What a report shows when its experiment names no figures: times over ranks also as what more
    ranks gain."""
    curves = [_figure(study, name) for name in leading(study.answered)]
    times = [each.y for each in curves if each.x == RANKS and study.metrics[each.y].unit == "s"]
    return [*curves, *(Scaling(of=metric) for metric in times)]


def _figure(study: Study, metric: str) -> Curves:
    """Over sizes, else over loads, else over the first swept numbers; bars over words alone."""
    if study.answered[metric] > 1:
        return Line(x=SIZE, y=metric)
    numeric = [key for key in study.swept if _has_numbers(study, key)]
    words = [key for key in study.swept if key not in numeric]
    if not numeric:
        return Bar(x=next(iter(words), "engine"), y=metric)
    x = LOAD if LOAD in numeric else numeric[0]
    # Patterns alone are lines of one panel.
    others = len(words) > 1 or len(numeric) > 1 or len(study.engines) > 1
    return Line(x=x, y=metric, row=PATTERN if PATTERN in words and others else None)


def _has_numbers(study: Study, key: str) -> bool:
    values = [value for value in study.values.get(key, ()) if value is not None]
    numbers = (isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return len(values) > 1 and all(numbers)

"""The metrics that a page is about where its experiment names no figures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from weft.report.data.axes import LOAD
from weft.report.data.metrics import leading, telling
from weft.report.data.question_words import QuestionWords
from weft.report.data.source import Study

_TIMES = ("s", "cycle")


def question_words(study: Study) -> QuestionWords:
    """The words of the experiment's question."""
    return QuestionWords(study.plan.question, study.swept)


def asked_metrics(study: Study) -> list[str]:
    """The metrics that the question names, else the one that matters most, with its like of other
    jobs; over loads latencies, too; then those of points that have none of these."""
    words, known = question_words(study), [study.metrics[name] for name in telling(study.answered)]
    first = leading(study.answered)
    level = [level_metric(study)] if words.level else []
    found = [each for each in [*level, *words.metrics(known)] if each]
    found = found or [name for name in first if _is_like(study, name, first[0])]
    if LOAD in study.swept:
        times = (name for name in first if study.metrics[name].unit in _TIMES)
        found += [*first[:1], *islice(times, 1)]
    return _covering(study, list(dict.fromkeys(found)), first)


def level_metric(study: Study) -> str | None:
    """What reaches a share of its best value: the first metric of those that the question names,
    else of all, of which more is better."""
    known = [study.metrics[name] for name in telling(study.answered)]
    named = [study.metrics[name] for name in question_words(study).metrics(known)]
    return next((m.name for m in [*named, *known] if m.direction == "higher"), None)


def _is_like(study: Study, name: str, first: str) -> bool:
    """Whether `name` is `first`, or the same of another job."""
    one, other = study.metrics[name], study.metrics[first]
    return name == first or one.around == other.around is not None


def _covering(study: Study, found: Sequence[str], first: Sequence[str]) -> list[str]:
    """`found`, and of `first` each that has values where none before has any."""
    rows = study.query("SELECT DISTINCT metric, alike FROM measured JOIN axes USING (point_id)")
    places: dict[str, set[int]] = {}
    for row in rows:
        places.setdefault(row["metric"], set()).add(row["alike"])
    kept = [*found]
    seen = set().union(*(places[name] for name in kept))
    for name in first:
        if places[name] - seen:
            kept.append(name)
            seen |= places[name]
    return kept

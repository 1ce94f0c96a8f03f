"""The answer box: what is missing, then what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from weft.config.model.figure import Figure
from weft.config.model.figures import Map
from weft.report.answers.agreement import agreement_sentences, fit_sentences
from weft.report.answers.best import best_sentences
from weft.report.answers.change import change_sentences
from weft.report.answers.choosing import choice_sentences
from weft.report.answers.convergence import convergence_sentences
from weft.report.answers.cost import cost_sentences
from weft.report.answers.course import course_sentences
from weft.report.answers.crossover import crossover_sentences
from weft.report.answers.file_time import file_time_sentences
from weft.report.answers.pulsing import pulse_sentences
from weft.report.answers.questions import Ask, asked
from weft.report.answers.ranges import range_sentences
from weft.report.answers.saturation import saturation_sentences
from weft.report.answers.shared_memory import shared_memory_sentences
from weft.report.answers.skipped import skipped_sentences, unanswered_sentences
from weft.report.answers.threshold import threshold_sentences
from weft.report.answers.waiting import waiting_sentences
from weft.report.data.draws import lacking_sentences
from weft.report.data.fidelity import free_computing_sentences
from weft.report.data.flagged import flagged_sentences
from weft.report.data.map_cells import map_sentences
from weft.report.data.references import metric_wheres, report_metrics
from weft.report.data.source import Study
from weft.report.data.units import counted
from weft.report.record.outcome import Coverage, failures

MAX_SENTENCES = 8
_MAX_RANGES = 4


def answer(
    study: Study, figures: Sequence[Figure], references: Sequence[str], coverage: Coverage
) -> list[str]:
    """At most MAX_SENTENCES sentences that answer the question; what is missing comes first."""
    skipped = skipped_sentences(study, coverage)
    if coverage.done == 0:
        return [_nothing(study, coverage), *skipped]
    sentences = _findings(study, figures, references)
    sentences = sentences or ["The points are done but gave no values."]
    warnings = [
        *lacking_sentences(study, report_metrics(study, figures)),
        *flagged_sentences(study),
        *free_computing_sentences(study),
        *shared_memory_sentences(study),
        *file_time_sentences(study),
    ]
    if lacking := unanswered_sentences(study, coverage):
        return [*lacking, *skipped, *warnings, *_incomplete(coverage), *few(sentences)]
    return [*warnings, *_incomplete(coverage), *skipped, *few(sentences)]


def _findings(study: Study, figures: Sequence[Figure], references: Sequence[str]) -> list[str]:
    maps = [text for f in figures if isinstance(f, Map) for text in map_sentences(study, f)]
    if maps and not study.plan.report.answer:
        return maps
    asks = asked(study, figures)
    agreements = [ask for ask in asks if ask.kind == "agreement"]
    found: list[str] = []
    for ask in asks:
        found += _said(study, ask, figures, references)
        # Predictions come first: what a network was fitted to says nothing about them.
        for each in agreements if agreements and ask is agreements[-1] else ():
            found += fit_sentences(study, each, references, figures)
    waiting = waiting_sentences(study, figures)
    # Figures of calls and ports are what a page without questions is about.
    found = [*found, *waiting] if study.plan.report.answer else [*waiting, *found]
    if found or maps:
        return list(dict.fromkeys([*found, *maps]))
    return [
        text for metric in report_metrics(study, figures)
        for text in range_sentences(study, metric, metric_wheres(figures, metric))
    ][:_MAX_RANGES]  # fmt: skip


def _said(
    study: Study, ask: Ask, figures: Sequence[Figure], references: Sequence[str]
) -> list[str]:
    if ask.kind == "agreement":
        return agreement_sentences(study, ask, references, figures)
    if ask.kind == "cost":
        return cost_sentences(study, ask, figures, references)
    if ask.kind == "choices":
        return choice_sentences(study, ask, figures)
    if ask.kind == "pulses":
        return pulse_sentences(study, figures, references)
    say = {
        "best": best_sentences,
        "change": change_sentences,
        "convergence": convergence_sentences,
        "course": course_sentences,
        "crossover": crossover_sentences,
        "saturation": saturation_sentences,
        "threshold": threshold_sentences,
    }
    return say[ask.kind](study, ask)


def few(sentences: Sequence[str]) -> list[str]:
    """The first sentences, and how many more there are."""
    left = len(sentences) - MAX_SENTENCES
    if left <= 0:
        return list(sentences)
    return [
        *sentences[:MAX_SENTENCES],
        f"The figures below hold {counted(left, 'more finding')} like these.",
    ]


def _nothing(study: Study, coverage: Coverage) -> str:
    """Why there is no answer at all: not run, or failed, with the first reason."""
    planned = f"{counted(coverage.planned, 'point')} {_be(coverage.planned)} planned"
    if coverage.missing == coverage.planned:
        return f"Nothing has been answered yet: {planned}."
    parts = {"failed": coverage.failed, "skipped": coverage.skipped, "missing": coverage.missing}
    counts = ", ".join(f"{number:,} {state}" for state, number in parts.items() if number)
    text = f"No point has an answer: {planned}, {counts}."
    if not coverage.failed:
        return text
    found, _ = failures(study)
    reason = found[0]["error"] or "no reason was recorded"
    return f"{text} The first that failed: {reason.strip().rstrip('.')}."


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _incomplete(coverage: Coverage) -> list[str]:
    if coverage.done + coverage.skipped == coverage.planned:
        return []
    return [
        f"{coverage.done:,} of {counted(coverage.planned, 'point')} {_be(coverage.done)} done"
        f" ({coverage.failed:,} failed, {coverage.missing:,} missing), so this is preliminary."
    ]

"""The answer of a page: what is missing, what was found, and what limits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.config.model.figure import Figure
from weft.config.model.figures import Map
from weft.report.answers.agreement.question import AgreementAsk
from weft.report.answers.file_time import file_times
from weft.report.answers.question import Ask, PageSources, SeriesAsk
from weft.report.answers.questions import asked
from weft.report.answers.ranges import range_sentences
from weft.report.answers.shared_memory import through_shared_memory
from weft.report.answers.skipped import skipped_sentences, unanswered_sentences
from weft.report.answers.table import AnswerTable
from weft.report.answers.values_map import value_map_sentences
from weft.report.data.caveats import Caveat
from weft.report.data.draws import lacking_seeds
from weft.report.data.fidelity import free_computing
from weft.report.data.flagged import flagged_values
from weft.report.data.references import metric_wheres, report_metrics
from weft.report.data.settings import several
from weft.report.data.source import Study, Where
from weft.report.data.units import counted
from weft.report.kinds import kind_of
from weft.report.record.outcome import Coverage, failures

MAX_SENTENCES = 8
#: So many sentences of one question stand on top together.
MAX_VERDICT = 4
_MAX_RANGES = 4


@dataclass(frozen=True, slots=True)
class QuestionFindings:
    """The sentences of one question, each with the number of the figure that shows it."""

    said: Sequence[tuple[str, int]]
    ask: Ask | None = None


@dataclass(frozen=True, slots=True)
class AnswerBox:
    """What a page says to its question, in sentences.

    `missing` says what was not answered and why. The first `verdict` of the `findings` answer the
    question and the one that follows it; the figure with the number `figure` (from 0) shows the
    first of them, and `tables` have its values. `caveats` says what to know before one relies on
    them.
    """

    missing: tuple[str, ...]
    findings: tuple[str, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    figure: int = 0
    verdict: int = 1
    tables: tuple[AnswerTable, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """All of it, where there is room for one text."""
        return [*self.missing, *(each.text for each in self.caveats), *self.findings]


def answer(
    study: Study, figures: Sequence[Figure], references: Sequence[str], coverage: Coverage
) -> AnswerBox:
    """The answer to the question, with at most MAX_SENTENCES findings."""
    skipped = skipped_sentences(study, coverage)
    if coverage.done == 0:
        return AnswerBox((_nothing(study, coverage), *skipped))
    page = PageSources(study, figures, references)
    groups = _findings(page)
    top, found = _verdict(groups)
    sentences = [text for text, _ in found] or ["The points are done but gave no values."]
    return AnswerBox(
        missing=(*unanswered_sentences(study, coverage), *_incomplete(coverage), *skipped),
        findings=tuple(few(sentences)),
        caveats=(
            *flagged_values(study),
            *lacking_seeds(study, report_metrics(study, figures)),
            *free_computing(study),
            *through_shared_memory(study),
            *file_times(study),
        ),
        figure=found[0][1] if found else 0,
        verdict=top,
        tables=_tables(page, groups),
    )


def _verdict(groups: Sequence[QuestionFindings]) -> tuple[int, list[tuple[str, int]]]:
    """How many sentences are the verdict, and all of them: what the first question finds, or its
    first sentence where these are many, and as much as has room of the same question about another
    metric, else of the next question of another kind, or of the next one."""
    if not groups:
        return 1, []
    first, *others = groups
    top = [*(first.said if len(first.said) <= MAX_VERDICT else first.said[:1])]
    kinds = [each for each in others if each.ask and type(each.ask) is not type(first.ask)]
    alike = others[:1] if others and _is_like(first.ask, others[0].ask) else []
    second = (alike or kinds or others)[0].said if others else []
    top += second if len(top) + len(second) <= MAX_VERDICT else second[:1]
    every = [each for group in groups for each in group.said]
    return len(top), [*top, *(each for each in every if each not in top)]


def _is_like(one: Ask | None, other: Ask | None) -> bool:
    """Whether two questions ask the same of different metrics, as of those of two workloads."""
    return isinstance(one, SeriesAsk) and type(other) is type(one) and other.of != one.of


def _tables(page: PageSources, groups: Sequence[QuestionFindings]) -> tuple[AnswerTable, ...]:
    """Those of the question that the verdict answers."""
    first = groups[0].ask if groups else None
    return tuple(first.tables(page)[:MAX_VERDICT]) if first else ()


def _findings(page: PageSources) -> list[QuestionFindings]:
    """What each question finds, each sentence once."""
    study = page.study
    kinds = [(n, figure, kind_of(type(figure))[1]) for n, figure in enumerate(page.figures)]
    own = {n: [(s, n) for s in kind.finding(study, figure)] for n, figure, kind in kinds}
    for n, figure, _ in kinds:
        if isinstance(figure, Map):
            own[n] += [(s, n) for s in value_map_sentences(study, figure)]
    maps = [QuestionFindings(own[n]) for n, _, kind in kinds if kind.answers_alone]
    if any(each.said for each in maps) and not study.plan.report.answer:
        return _once(maps)
    found: list[QuestionFindings] = []
    asks = asked(page)
    agreements = [ask for ask in asks if isinstance(ask, AgreementAsk)]
    for ask in asks:
        place = _shows(ask, page.figures)
        found.append(QuestionFindings([(s, place) for s in ask.sentences(page)], ask))
        # Predictions come first: what a network was fitted to says nothing about them.
        for each in agreements if agreements and ask is agreements[-1] else ():
            place = _shows(each, page.figures)
            found.append(QuestionFindings([(s, place) for s in each.fit_sentences(page)]))
    waits = [QuestionFindings(own[n]) for n, _, kind in kinds if not kind.answers_alone]
    # Figures of calls and ports are what a page without questions is about.
    found = [*found, *waits] if study.plan.report.answer else [*waits, *found]
    if said := _once([*found, *maps]):
        return said
    ranges = [
        (text, 0) for metric in report_metrics(study, page.figures)
        for text in range_sentences(study, metric, metric_wheres(page.figures, metric))
    ][:_MAX_RANGES]  # fmt: skip
    return [QuestionFindings(ranges)] if ranges else []


def _once(groups: Sequence[QuestionFindings]) -> list[QuestionFindings]:
    """The groups that say anything, without what one before has said."""
    seen: set[str] = set()
    found = []
    for group in groups:
        new = [(text, n) for text, n in dict(group.said).items() if text not in seen]
        seen |= {text for text, _ in new}
        found += [QuestionFindings(new, group.ask)] if new else []
    return found


def _shows(ask: Ask, figures: Sequence[Figure]) -> int:
    """The number of the first figure with the metric that is asked for, where is asked, else at
    some of these places; else of the first one along the axis."""
    there = [n for n, figure in enumerate(figures) if figure.where in ask.wheres]
    of_metric = [n for n in there if figures[n].metric == ask.of]
    in_part = [
        n for n, figure in enumerate(figures)
        if figure.metric == ask.of and any(_meet(figure.where, where) for where in ask.wheres)
    ]  # fmt: skip
    along = [n for n in there if getattr(figures[n], "x", None) == ask.over is not None]
    return [*of_metric, *in_part, *along, 0][0]


def _meet(one: Where, other: Where) -> bool:
    """Whether some place may pass both filters."""
    return all(
        {*map(repr, several(one[key]))} & {*map(repr, several(other[key]))}
        for key in one.keys() & other.keys()
    )


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

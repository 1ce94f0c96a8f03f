"""The question `agreement`: how near series are to their reference, and which model suffices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.analysis.comparison import Comparison
from weft.report.answers.agreement.bar import bar_sentences
from weft.report.answers.agreement.elsewhere import elsewhere_sentences
from weft.report.answers.agreement.nearness import nearness_text
from weft.report.answers.agreement.sufficing import keys_of_values, sufficing_sentences
from weft.report.answers.agreement.table import agreement_tables
from weft.report.answers.question import PageSources, PlainAsk
from weft.report.answers.table import AnswerTable
from weft.report.answers.wording import at, name
from weft.report.data.distinguishing_settings import place
from weft.report.data.references import along_variants, comparisons
from weft.report.data.source import NOWHERE, Where
from weft.report.data.units import counted, deviation, listing

#: How far a prediction may be off and still suffice, unless the question says.
NEAR = 0.1


@dataclass(frozen=True, slots=True)
class AgreementAsk(PlainAsk):
    """How near each series is to its reference `to`; None is that of the report.

    With `worst` it is a bar to meet. Each value of the keys `each` has a model that suffices, or
    that does up to a value of the key `along`.
    """

    of: str
    wheres: tuple[Where, ...] = (NOWHERE,)
    to: str | None = None
    within: float = NEAR
    worst: float | None = None
    each: tuple[str, ...] = ()
    along: str | None = None
    over: None = None

    def sentences(self, page: PageSources) -> list[str]:
        """A sentence for the series that are as near."""
        every = self._comparisons(page)
        found = one_per_series([each for each in every if not each.fitted])
        if self.worst is not None:
            return bar_sentences(page.study, found, self.within, self.worst, self.each)
        if every and not found:
            return []
        if not found:
            return elsewhere_sentences(page, self.of, self.to)
        if self.each:
            keys = keys_of_values(page.study, self.each, found)
            return sufficing_sentences(page.study, keys, found, self.within, self.along)
        alike: dict[str, list[Comparison]] = {}
        for each in found:
            text = nearness_text(page.study, each, self.within, is_one=False)
            alike.setdefault(text, []).append(each)
        return [self._sentence(page, text, each) for text, each in alike.items()]

    def tables(self, page: PageSources) -> list[AnswerTable]:
        """How far each series is at each value of the keys `each`."""
        every = self._comparisons(page) if self.each else []
        found = one_per_series([each for each in every if not each.fitted])
        keys = keys_of_values(page.study, self.each, found)
        return agreement_tables(page.study, keys, found, self.within) if found else []

    def _sentence(self, page: PageSources, text: str, found: Sequence[Comparison]) -> str:
        if len(found) == 1:
            text = nearness_text(page.study, found[0], self.within, is_one=True)
            return f"{found[0].of} gives {text}"
        return f"{listing(each.of for each in found)} give {text}"

    def fit_sentences(self, page: PageSources) -> list[str]:
        """How near series are to what their network was fitted to: no prediction."""
        study, near, said = page.study, self.within, dict[str, list[str]]()
        for c in one_per_series([each for each in self._comparisons(page) if each.fitted]):
            close = sum(1 / (1 + near) <= ratio.ratio <= 1 + near for ratio in c.ratios)
            text = (
                f"the {name(study, c.metric)} of {c.to} is what the network was fitted to, so no"
                f" prediction: within {near:.0%} at {close:,} of {counted(c.matched, 'value')}, the"
                f" worst off by {deviation(c.max_factor)}{at(place(study, c.worst.coordinates))}."
            )
            said.setdefault(text, []).append(c.of)
        return [f"For {listing(of)}, {text}" for text, of in said.items()]

    def _comparisons(self, page: PageSources) -> list[Comparison]:
        places = along_variants(page.figures, self.of)
        return comparisons(page.study, self.of, page.references, self.wheres, self.to, places)


def one_per_series(found: Sequence[Comparison]) -> list[Comparison]:
    """One comparison per series: with the reference that covers most values, else the first."""
    chosen: dict[str, Comparison] = {}
    for comparison in found:
        best = chosen.get(comparison.of)
        if best is None or comparison.matched > best.matched:
            chosen[comparison.of] = comparison
    return list(chosen.values())

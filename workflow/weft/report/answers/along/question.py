"""The question `along`: how a metric goes along an axis."""

from __future__ import annotations

from dataclasses import dataclass

from weft.report.answers.along.change import change_sentences
from weft.report.answers.along.convergence import convergence_sentences
from weft.report.answers.along.course import course_sentences
from weft.report.answers.along.levelling import levelling_sentences
from weft.report.answers.along.onset import onset_sentences
from weft.report.answers.along.series import AxisSeries, axis_series
from weft.report.answers.along.threshold import threshold_sentences
from weft.report.answers.amounts import SATURATED
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.data.axes import LOAD

#: A sentence names so many changes along an axis.
MOST_STEPS = 6


@dataclass(frozen=True, slots=True)
class AlongAsk(SeriesAsk):
    """How the metric of each of the series `among` goes along `over`.

    Over loads it is where the network saturates. `to_first` holds series to the first one,
    `at_least` and `at_most` are levels, of which the first may be the part `of_link` of what a link
    carries, and `within` is how far values may differ and still be the same.
    """

    within: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    to_first: bool = False
    of_link: float | None = None

    def sentences(self, page: PageSources) -> list[str]:
        """A sentence for each value of the keys `each`, or for the series that go alike."""
        plain = self.within is None and not self.to_first and self._level is None
        if plain and self.over == LOAD and SATURATED in page.study.answered:
            return onset_sentences(page.study, self)
        found = axis_series(page.study, self)
        return self._said(found) if found else []

    def _said(self, found: AxisSeries) -> list[str]:
        if self._level is not None:
            return threshold_sentences(found, *self._level, self.of_link)
        if self.to_first:
            return convergence_sentences(found, self.within)
        if not found.has_numbers:
            return course_sentences(found, self.within)
        if self.within is not None:
            return levelling_sentences(found, self.within)
        if found.steps > MOST_STEPS:
            return course_sentences(found)
        return change_sentences(found)

    @property
    def _level(self) -> tuple[float, bool] | None:
        """A level, and whether values above reach it."""
        if self.at_least is not None:
            return self.at_least, True
        return None if self.at_most is None else (self.at_most, False)

"""The question `best`: which alternative is best, where, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.findings import BestFinding, Value, rankings
from weft.report.answers.amounts import AMOUNTS
from weft.report.answers.best.facts import BestFacts, beyond, dissent, place_of
from weft.report.answers.best.sentences import best_text
from weft.report.answers.best.shared_ending import without_shared_ending
from weft.report.answers.best.table import best_table
from weft.report.answers.grid import GridPlace, ValueGrid, grid
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.answers.ranges import range_sentences
from weft.report.answers.table import AnswerTable
from weft.report.answers.wording import headed
from weft.report.data.computing_errors import has_spreads
from weft.report.data.fit_errors import keys_of_fits
from weft.report.data.intervals import confidence
from weft.report.data.units import value_label

#: So many places beside an axis have a sentence each.
_MOST_APART = 4

#: The settings that a sentence begins with, what all names end with, and what is known.
Group = tuple[list[tuple[str, object]], str, BestFacts]


@dataclass(frozen=True, slots=True)
class BestAsk(SeriesAsk):
    """Which of the series `among` is best along `over`, by the engine nearest to the machine."""

    def sentences(self, page: PageSources) -> list[str]:
        """A sentence for each value of the keys `each`.

        Where only amounts of work differ, nothing is best: the sentence gives the range of values.
        """
        study, found = page.study, self._found(page)
        if found is None:
            return []
        if isinstance(found, ValueGrid):
            nearest = {"engine": found.engines[0]}
            return range_sentences(study, self.of, [{**where, **nearest} for where in self.wheres])
        return [
            headed(settings, f"for {ending}: {best_text(facts)}" if ending else best_text(facts))
            for settings, ending, facts in found
        ]

    def tables(self, page: PageSources) -> list[AnswerTable]:
        """A table for each sentence, where it is small enough to help."""
        found = self._found(page)
        if found is None or isinstance(found, ValueGrid):
            return []
        tables = (best_table(facts, settings) for settings, _, facts in found)
        return [table for table in tables if table]

    def _found(self, page: PageSources) -> ValueGrid | list[Group] | None:
        """What is known of each group; the values alone where only amounts differ; None without
        values of which one is better."""
        every = grid(page.study, self.of, self.wheres, (*self.each, *self.among, self.over))
        if page.study.metrics[self.of].direction == "neutral" or not every.cells:
            return None
        found = every if "engine" in self.among else every.nearest()
        each = found.varying(self.each)
        first = [key for key in (*each, self.over or "") if key]
        differing = list(self.among) or found.places(first)
        among = list(self.among) or [key for key in differing if key not in AMOUNTS]
        if differing and not among:
            return found
        keys = [k for k in found.places(among, first) if k not in among]
        start = found.filters_left(self, each)
        others = self._others(every, found, among, keys)
        curves, ranked = found.curves(among, keys), self._ranked(found, among, keys)
        each = each or self._apart(ranked)
        return [
            ([*start, *settings], *self._facts(every, group, others, curves))
            for settings, group in _grouped(ranked, each)
        ]

    def _apart(self, ranked: Sequence[BestFinding]) -> list[str]:
        """The keys beside the axis whose few values have a sentence each, because the lead changes
        along it: one sentence for all of them would count places."""
        if not ranked or set.intersection(*({*each.leaders} for each in ranked)):
            return []
        places = [dict(place_of(each)) for each in ranked]
        keys = [k for k in places[0] if k != self.over and len({repr(p[k]) for p in places}) > 1]
        settings = {repr([place[key] for key in keys]) for place in places}
        xs = [place.get(str(self.over)) for place in places]
        has_course = len({*xs}) > 1 and all(isinstance(x, int | float) for x in xs)
        return keys if has_course and len(settings) <= _MOST_APART else []

    def _others(
        self, every: ValueGrid, found: ValueGrid, among: Sequence[str], keys: Sequence[str]
    ) -> dict[str, list[BestFinding]]:
        """The rankings of the engines that do not answer, by what they are called."""
        engines = [] if self.has_engines else [e for e in every.engines if e not in found.engines]
        return {
            value_label("engine", engine): self._ranked(every.of_engine(engine), among, keys)
            for engine in engines
        }

    def _ranked(
        self, values: ValueGrid, among: Sequence[str], keys: Sequence[str]
    ) -> list[BestFinding]:
        better = values.study.metrics[self.of].direction
        assert better != "neutral"
        return rankings(values.curves(among, keys), better, confidence(values.study))

    def _facts(
        self,
        every: ValueGrid,
        group: Sequence[BestFinding],
        others: Mapping[str, Sequence[BestFinding]],
        curves: Mapping[str, Mapping[GridPlace, Value]],
    ) -> tuple[str, BestFacts]:
        """What the names of all alternatives end with, and what is known of them."""
        study, (ranked, ending) = every.study, without_shared_ending(group)
        end = f", {ending}" if ending else ""
        found = (dissent(engine, theirs, group, end) for engine, theirs in others.items())
        return ending, BestFacts(
            metric=study.metrics[self.of],
            confidence=confidence(study),
            over=self.over,
            ranked=tuple(ranked),
            is_fitted=bool(keys_of_fits(study)),
            is_measured=has_spreads(study),
            whose=every.whose(self),
            dissents=tuple(each for each in found if each),
            beyond=beyond(self.over, group, curves),
        )


def _grouped(
    ranked: Sequence[BestFinding], each: Sequence[str]
) -> Iterator[tuple[list[tuple[str, object]], list[BestFinding]]]:
    """Rankings by the values of the keys `each`, in order."""
    found: dict[str, tuple[list[tuple[str, object]], list[BestFinding]]] = {}
    for ranking in ranked:
        settings = [item for item in place_of(ranking) if item[0] in each]
        found.setdefault(repr(settings), (settings, []))[1].append(ranking)
    yield from found.values()

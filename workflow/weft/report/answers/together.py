"""Of numbers that vary together: which of their settings is best, and that none of them is why."""

from __future__ import annotations

from dataclasses import dataclass

from weft.report.answers.best.question import BestAsk
from weft.report.answers.question import PageSources, SeriesAsk
from weft.report.answers.table import AnswerTable
from weft.report.data.settings_in_words import key_name
from weft.report.data.tied_numbers import shared_product
from weft.report.data.units import listing, prefixes, short


@dataclass(frozen=True, slots=True)
class TogetherAsk(SeriesAsk):
    """Which of the settings `among` is best, of which the numbers `tied` vary together."""

    tied: tuple[str, ...] = ()

    def sentences(self, page: PageSources) -> list[str]:
        """The best setting, then what the sweep cannot tell apart; nothing without a best one."""
        said = self._best.sentences(page)
        return [*said, self._limit(page)] if said else []

    def tables(self, page: PageSources) -> list[AnswerTable]:
        """Those of the best settings."""
        return self._best.tables(page)

    @property
    def _best(self) -> BestAsk:
        return BestAsk(self.of, self.over, self.among, self.each, self.wheres)

    def _limit(self, page: PageSources) -> str:
        names = listing([key_name(key) for key in self.tied])
        chosen = [settings for where in self.wheres for settings in page.study.chosen(where)]
        mine = [settings for settings in chosen if settings.get(self.tied[0]) is not None]
        product = shared_product(mine, self.tied)
        held = ""
        if product is not None and not any(prefixes(key) for key in self.tied):
            held = f", and their product is always {short(product)}"
        text = f"{names} vary together{held}: the sweep does not say which of them makes a"
        return f"{text[0].upper()}{text[1:]} difference."

"""The question `choices`: how often the choices of maps are right, and what wrong ones lose."""

from __future__ import annotations

from dataclasses import dataclass

from weft.config.model.figures import BestChoice
from weft.report.answers.question import PageSources, PlainAsk
from weft.report.data.source import NOWHERE, Where
from weft.report.kinds.choice.finding import judged_choices
from weft.report.kinds.choice.rows import choice_data


@dataclass(frozen=True, slots=True)
class ChoicesAsk(PlainAsk):
    """How often the maps of choices of the metric `of` are right."""

    of: str
    over: None = None
    wheres: tuple[Where, ...] = (NOWHERE,)

    def sentences(self, page: PageSources) -> list[str]:
        """A sentence for each map of choices of this metric that others judge, in page order."""
        judged = [f for f in page.figures if isinstance(f, BestChoice) and f.is_judged]
        found = []
        for figure in (each for each in judged if each.metric == self.of):
            text = judged_choices(choice_data(page.study, figure))
            if text:
                headed = len(judged) > 1 and figure.title
                start = f"{figure.title}: {text}" if headed else f"{text[0].upper()}{text[1:]}"
                found.append(f"{start}.")
        return found

"""The question `choices`: how often the choices of maps are right, and what wrong ones lose."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from weft.config.model.figures import BestChoice
from weft.report.answers.question import PageSources, PlainAsk
from weft.report.data.choices import ChoiceData, choice_data
from weft.report.data.source import NOWHERE, Where
from weft.report.data.units import value_label


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
            text = _sentence(choice_data(page.study, figure))
            if text:
                headed = len(judged) > 1 and figure.title
                start = f"{figure.title}: {text}" if headed else f"{text[0].upper()}{text[1:]}"
                found.append(f"{start}.")
        return found


def _sentence(data: ChoiceData) -> str:
    figure = data.figure
    # The truth chooses what is best by itself.
    others = [panel for panel in data.panels if panel != (figure.to or {}).get(figure.row or "")]
    said = [(panel, _judged(data, panel)) for panel in others or data.panels]
    parts = [f"{_who(figure, panel)} {text}" for panel, text in said if text]
    if not parts:
        return ""
    return f"judged by {data.judge}, {'; '.join(parts)}"


def _who(figure: BestChoice, panel: object) -> str:
    return value_label(figure.row, panel) if figure.row else "the choice"


def _judged(data: ChoiceData, panel: object) -> str:
    """What one panel's choices are worth; nothing where no cell has a judge."""
    lost = data.lost(panel)
    if lost:
        right = sum(each <= 0 for each in lost)
        share = f"is right in {right} of {len(lost)} cells"
        if right == len(lost):
            return share
        return f"{share} and loses {fmean(lost):.2%} on average, at most {max(lost):.1%}"
    known = [cell for cell in data.of(panel) if cell.other is not None]
    same = sum(not cell.differs for cell in known)
    return f"chooses the same in {same} of {len(known)} cells" if known else ""

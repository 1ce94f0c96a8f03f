"""How often the choices of a map are right, and what wrong ones lose, in a sentence."""

from __future__ import annotations

from statistics import fmean

from weft.config.model.figures import BestChoice
from weft.report.data.units import value_label
from weft.report.kinds.choice.rows import ChoiceData


def judged_choices(data: ChoiceData) -> str:
    """What each panel's choices are worth, without a full stop; nothing where nobody judges."""
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

"""The table of how far each series is from its reference, at each place."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.comparison import AnswerRatio, Comparison
from weft.report.answers.agreement.sufficing import by_place, label, off, simplest
from weft.report.answers.table import AnswerCell, AnswerTable
from weft.report.data.settings_in_words import key_name
from weft.report.data.source import Study
from weft.report.data.units import deviation

#: A table with more columns or rows is no small one; the figure shows them.
_MOST_COLUMNS = 8
_MOST_ROWS = 10
#: The text of a place at which a series has no value.
_NOTHING = "–"


def agreement_tables(
    study: Study, each: Sequence[str], found: Sequence[Comparison], near: float
) -> list[AnswerTable]:
    """One for each reference; none where there are more places or series than fit."""
    references = dict.fromkeys(c.to for c in found)
    tables = (_table(study, each, [c for c in found if c.to == r], near) for r in references)
    return [table for table in tables if table is not None]


def _table(
    study: Study, each: Sequence[str], found: Sequence[Comparison], near: float
) -> AnswerTable | None:
    series = simplest(study, found)
    places = {c.of: by_place(c, each) for c in series}
    every = list(dict.fromkeys(place for mine in places.values() for place in mine))
    if not 1 < len(every) <= _MOST_COLUMNS or len(series) > _MOST_ROWS:
        return None
    metric = study.metrics[found[0].metric].label
    by = f" by {key_name(each[0])}" if len(each) == 1 else ""
    return AnswerTable(
        caption=f"{metric}: the largest distance from {found[0].to}{by}",
        corner="",
        columns=tuple(label(place) for place in every),
        rows=tuple(
            (name, tuple(_cell(mine.get(place, ()), near) for place in every))
            for name, mine in places.items()
        ),
        note=f"Bold: within {near:.0%} at every value; the darker a cell, the farther off.",
    )


def _cell(ratios: Sequence[AnswerRatio], near: float) -> AnswerCell:
    if not ratios:
        return AnswerCell(_NOTHING)
    worst = max(map(off, ratios))
    return AnswerCell(deviation(worst), "best" if worst <= 1 + near else "behind", worst)

"""The table of alternatives over places, with the best of each place marked."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.findings import BestFinding
from weft.report.answers.best.facts import BestFacts, place_of
from weft.report.answers.table import AnswerCell, AnswerTable
from weft.report.data.settings_in_words import key_name
from weft.report.data.units import deviation, quantity, settings_label, value_label

#: A table with more columns or rows is no small one; the figure shows them.
_MOST_COLUMNS = 8
_MOST_ROWS = 10
#: The text of a place at which an alternative has no value.
_NOTHING = "–"


def best_table(facts: BestFacts, settings: Sequence[tuple[str, object]]) -> AnswerTable | None:
    """None where there are more places or alternatives than fit, or where one sentence with two
    values has said it all."""
    columns, rows = len(facts.ranked), len(facts.names)
    if columns > _MOST_COLUMNS or rows > _MOST_ROWS or columns * rows <= 2:
        return None
    where = settings_label(settings)
    by = f" by {key_name(facts.varying[0])}" if len(facts.varying) == 1 else ""
    return AnswerTable(
        caption=f"{facts.metric.label}{by}{f', {where}' if where else ''}",
        corner="",
        columns=tuple(_column(facts, ranking) for ranking in facts.ranked),
        rows=tuple(
            (name, tuple(_cell(facts, ranking, name) for ranking in facts.ranked))
            for name in facts.names
        ),
        note=_note(facts),
    )


def _column(facts: BestFacts, ranking: BestFinding) -> str:
    varying = [item for item in place_of(ranking) if item[0] in facts.varying]
    if len(varying) == 1:
        return value_label(*varying[0])
    return settings_label(varying) or facts.metric.label


def _cell(facts: BestFacts, ranking: BestFinding, name: str) -> AnswerCell:
    value = dict(ranking.order).get(name)
    if value is None:
        return AnswerCell(_NOTHING)
    text = quantity(value.mean, facts.metric.unit)
    if name in ranking.leaders:
        return AnswerCell(text, "best" if len(ranking.leaders) == 1 else "level")
    behind = ranking.behind(name) or 1.0
    return AnswerCell(f"{text} ({deviation(behind)})", "behind", behind)


def _note(facts: BestFacts) -> str:
    states = {1 if len(r.leaders) == 1 else 2 for r in facts.ranked}
    parts = ["Bold: the best"] if 1 in states else []
    parts += ["=: do not differ by more than their scatter"] if 2 in states else []
    return f"{'; '.join(parts)}; the darker a cell, the farther behind, by the factor in it."

"""Best choices: which value of a key wins in every cell, and what a choice made elsewhere costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from weft.analysis.comparison import canonical
from weft.analysis.findings import Value, apart
from weft.config.model.figures import BestChoice
from weft.report.data.choices import (
    Best,
    Place,
    Replicates,
    best_of,
    choice_order,
    choice_values,
)
from weft.report.data.cited import cited
from weft.report.data.computing_errors import computing_errors
from weft.report.data.csv_text import csv_text
from weft.report.data.fit_errors import error_of
from weft.report.data.intervals import confidence
from weft.report.data.source import Study
from weft.report.data.units import Scales, key_label, settings_label, value_label
from weft.report.kinds.choice.captions import agreement, cost, gaps, signs
from weft.report.kinds.choice.cells import ChoiceCell, repeats


@dataclass
class ChoiceData:
    """The cells of a map of choices, in planned order."""

    figure: BestChoice
    label: str
    order: list[str]
    """All choices, in planned order."""
    cells: list[ChoiceCell] = field(default_factory=list)
    scales: Scales = field(default_factory=dict)
    judge: str = ""
    """What the choices are held against, in words; empty where nothing judges them."""
    left_out: int = 0
    """Places without a cell, because measurements there judge nothing."""

    @property
    def legend(self) -> bool:
        """The map names its choices in the cells."""
        return False

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        if self.cells:
            return None
        return " ".join(gaps(self.left_out)) or f"No values of {self.label.lower()} yet."

    @property
    def panels(self) -> list[object]:
        """Values of the figure's `row`; `[None]` without one."""
        return list(dict.fromkeys(cell.panel for cell in self.cells)) or [None]

    def of(self, panel: object) -> list[ChoiceCell]:
        """The cells of one panel."""
        return [cell for cell in self.cells if cell.panel == panel]

    def name(self, panel: object) -> str | None:
        """The panel's name, if the figure has panels."""
        return settings_label([(self.figure.row, panel)], self.scales) if self.figure.row else None

    @property
    def notes(self) -> list[str]:
        """What signs and frames mean, and which cells are missing."""
        return [*signs(self.cells, bool(self.figure.to)), *gaps(self.left_out)]

    @property
    def panel_notes(self) -> list[str]:
        """How many cells agree, or what choices cost, in each panel; then how the truth repeats."""
        names = (key_label(self.figure.x), key_label(self.figure.y))
        said = cost if self.figure.to else agreement
        return [said(self.of(panel), self.judge, names) for panel in self.panels]

    def lost(self, panel: object) -> list[float]:
        """What each choice of one panel loses, as a share; empty unless a truth is known."""
        return [cell.lost for cell in self.of(panel) if cell.lost is not None]

    def csv(self) -> str:
        """The cells, with what is lost as a share of the best."""
        figure = self.figure
        return csv_text(
            ["panel", figure.y, figure.x, figure.among, "other", "lost"],
            (
                [cell.panel, cell.down, cell.across, cell.choice, cell.other, cell.lost]
                for cell in self.cells
            ),
        )


def choice_data(study: Study, figure: BestChoice) -> ChoiceData:
    """The best choice of every place, beside those of others."""
    data = ChoiceData(figure, study.metrics[figure.value].label, choice_order(study, figure))
    data.scales = study.scales
    data.judge = judge(study, figure)
    ours, busy = choice_values(study, figure, figure.row, figure.where)
    others = _published(study, figure)
    truth: Replicates = {}
    if figure.to:
        kept = {key: value for key, value in figure.where.items() if key not in figure.to}
        truth, unusable = choice_values(study, figure, None, {**kept, **figure.to}, judges=True)
        busy |= {place for place in ours if (None, *place[1:]) in unusable}
    data.left_out = len(busy)
    best: Best = max if study.metrics[figure.value].direction == "higher" else min
    for place in sorted(ours, key=lambda found: _rank(study, figure, found)):
        panel, down, across = place
        values = {name: ours[place][name] for name in data.order if name in ours[place]}
        choice = best_of(_means(values), best)
        level = _alike(study, figure, panel, values, choice)
        if not figure.to:
            other = others.get(_key(place)) or others.get(_key((None, down, across)))
            same = [each == other for each in _each_replicate(values, best)] if other else ()
            cell = ChoiceCell(
                panel, down, across, choice, other, same_by_replicate=same, level=level
            )
            data.cells.append(cell)
            continue
        there = truth.get((None, down, across), {})
        if choice in there:
            means = _means(there)
            other, lost = best_of(means, best), abs(means[choice] / best(means.values()) - 1)
            again = repeats(there, best)
            cell = ChoiceCell(panel, down, across, choice, other, lost, again, level=level)
            data.cells.append(cell)
    return data


def _alike(
    study: Study,
    figure: BestChoice,
    panel: object,
    values: Mapping[str, Sequence[float]],
    choice: str,
) -> list[str]:
    """The choices that do not differ from the best one."""
    where = {**figure.where, **({figure.row: panel} if figure.row else {})}
    places = (figure.y, figure.x, figure.among)
    computing = computing_errors(study, figure.value, places, where)
    error = error_of(study, figure.value, where) + max(computing.values(), default=0.0)
    found = {name: Value(fmean(each), tuple(each), error=error) for name, each in values.items()}
    level = confidence(study)
    return [n for n in found if n != choice and not apart(found[n], found[choice], level)]


def _means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {name: fmean(each) for name, each in values.items()}


def _each_replicate(values: Mapping[str, Sequence[float]], best: Best) -> list[str]:
    """What each replicate chooses; nothing where there is only one."""
    counts = {len(each) for each in values.values()}
    if len(counts) > 1 or counts <= {0, 1}:
        return []
    each = zip(*values.values(), strict=True)
    return [best_of(dict(zip(values, row, strict=True)), best) for row in each]


def judge(study: Study, figure: BestChoice) -> str:
    """What the choices of a map are held against, in words."""
    if figure.to:
        return ", ".join(value_label(key, value) for key, value in figure.to.items())
    return cited(study, figure.overlaid) if figure.published else ""


def _published(study: Study, figure: BestChoice) -> dict[Place, str]:
    """What others choose, by place; numbers without a fraction are written without a point."""
    found = {}
    for entry in study.published(figure.overlaid):
        where = entry.place
        panel = where.get(figure.row) if figure.row else None
        place = (panel, where.get(figure.y), where.get(figure.x))
        found[_key(place)] = f"{entry.value:g}"
    return found


def _key(place: Place) -> Place:
    panel, down, across = place
    return canonical(panel), canonical(down), canonical(across)


def _rank(study: Study, figure: BestChoice, place: Place) -> list[int]:
    found = []
    for key, value in zip((figure.row, figure.y, figure.x), place, strict=True):
        known = [canonical(each) for each in study.values.get(key or "", [])]
        here = canonical(value)
        number = value if isinstance(value, int | float) else 0
        found.append(known.index(here) if here in known else int(number))
    return found

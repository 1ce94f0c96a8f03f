"""Best choices: which value of a key wins in every cell, and what a choice made elsewhere costs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weft.analysis.comparison import canonical
from weft.config.model.figures import BestChoice
from weft.report.data.source import Study, Where
from weft.report.data.units import Scales, settings_label, value_label

#: A place of the map: its panel, and its values down and across.
Place = tuple[object, object, object]


@dataclass(frozen=True, slots=True)
class ChoiceCell:
    """One place: the `choice` there, that of others, and what `lost` by it where that is asked."""

    panel: object
    down: object
    across: object
    choice: str
    other: str | None = None
    lost: float | None = None

    @property
    def differs(self) -> bool:
        """Whether others choose something else."""
        return self.other is not None and self.other != self.choice


@dataclass
class ChoiceData:
    """The cells of a map of choices, in planned order."""

    figure: BestChoice
    label: str
    order: list[str]
    """All choices, in planned order."""
    cells: list[ChoiceCell] = field(default_factory=list)
    scales: Scales = field(default_factory=dict)

    @property
    def legend(self) -> bool:
        """The map names its choices in the cells."""
        return False

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.cells else f"No values of {self.label.lower()} yet."

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
        """How many cells agree, or what choices cost, in each panel."""
        said = self._cost if self.figure.to else self._agreement
        found = [(self.name(panel), said(self.of(panel))) for panel in self.panels]
        return [f"{name}: {text}." if name else f"{text}." for name, text in found if text]

    def _agreement(self, cells: Sequence[ChoiceCell]) -> str:
        known = [cell for cell in cells if cell.other is not None]
        if not known:
            return ""
        same = sum(not cell.differs for cell in known)
        apart = [abs(steps) for cell in known if (steps := _steps(cell)) is not None]
        text = f"{same} of {len(known)} cells as {self.figure.published}"
        if len(apart) < len(known):
            return text
        near = sum(steps <= 1 for steps in apart)
        mean = sum(apart) / len(apart)
        return f"{text}, {near} within a factor of 2, |log₂| apart by {mean:.2f} on average"

    def _cost(self, cells: Sequence[ChoiceCell]) -> str:
        lost = [cell.lost for cell in cells if cell.lost is not None]
        if not lost:
            return ""
        best = sum(value <= 0 for value in lost)
        mean, most = sum(lost) / len(lost), max(lost)
        text = f"the best in {best} of {len(lost)} cells"
        return f"{text}; loses {mean:.2%} on average, at most {most:.1%}"

    def csv(self) -> str:
        """The cells, with what is lost as a share of the best."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        figure = self.figure
        writer.writerow(["panel", figure.y, figure.x, figure.among, "other", "lost"])
        for cell in self.cells:
            writer.writerow(
                [cell.panel, cell.down, cell.across, cell.choice, cell.other, cell.lost]
            )
        return text.getvalue()


def _steps(cell: ChoiceCell) -> float | None:
    """How many doublings the choices lie apart, where both are numbers."""
    try:
        return math.log2(float(cell.choice)) - math.log2(float(cell.other or ""))
    except ValueError:
        return None


def choice_data(study: Study, figure: BestChoice) -> ChoiceData:
    """The best choice of every place, beside those of others."""
    data = ChoiceData(figure, study.metrics[figure.value].label, _order(study, figure))
    data.scales = study.scales
    ours = _values(study, figure, figure.row, figure.where)
    others = _published(study, figure)
    truth: dict[Place, dict[str, float]] = {}
    if figure.to:
        kept = {key: value for key, value in figure.where.items() if key not in figure.to}
        truth = _values(study, figure, None, {**kept, **figure.to})
    best = max if study.metrics[figure.value].direction == "higher" else min
    for place in sorted(ours, key=lambda found: _rank(study, figure, found)):
        panel, down, across = place
        values = {name: ours[place][name] for name in data.order if name in ours[place]}
        choice = best(values, key=lambda name: values[name])
        there = truth.get((None, down, across), {})
        if figure.to and choice not in there:
            continue
        lost = abs(there[choice] / best(there.values()) - 1) if there else None
        other = others.get(_key(place)) or others.get(_key((None, down, across)))
        data.cells.append(ChoiceCell(panel, down, across, choice, other, lost))
    return data


def _order(study: Study, figure: BestChoice) -> list[str]:
    values = study.values.get(figure.among, [])
    return [_label(study, figure, value) for value in values if value is not None]


def _label(study: Study, figure: BestChoice, value: object) -> str:
    return value_label(figure.among, value, study.scales.get(figure.among))


def _values(
    study: Study, figure: BestChoice, row: str | None, where: Where
) -> dict[Place, dict[str, float]]:
    """The mean of each choice at each place; places without a choice are left out."""
    keys = [key for key in (row, figure.y, figure.x, figure.among) if key]
    found: dict[Place, dict[str, float]] = {}
    for each in study.groups(figure.value, keys, where):
        place = (each[row] if row else None, each[figure.y], each[figure.x])
        if each[figure.among] is not None and None not in place[1:]:
            found.setdefault(place, {})[_label(study, figure, each[figure.among])] = each["mean"]
    return found


def _published(study: Study, figure: BestChoice) -> dict[Place, str]:
    """What others choose, by place; numbers without a fraction are written without a point."""
    found = {}
    for entry in study.published(figure.overlaid):
        where: Mapping[str, object] = entry["coordinates"]
        panel = where.get(figure.row) if figure.row else None
        place = (panel, where.get(figure.y), where.get(figure.x))
        found[_key(place)] = f"{entry['value']:g}"
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

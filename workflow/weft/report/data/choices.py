"""Best choices: which value of a key wins in every cell, and what a choice made elsewhere costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from weft.analysis.comparison import canonical
from weft.analysis.findings import Value, apart
from weft.config.model.figures import BestChoice
from weft.report.data.choice_scores import Best, Repeat, best_of, doublings, repeats, spearman
from weft.report.data.csv_text import csv_text
from weft.report.data.fit_errors import error_of
from weft.report.data.intervals import confidence
from weft.report.data.source import Study, Where
from weft.report.data.units import Scales, counted, settings_label, value_label

#: A place of the map: its panel, and its values down and across.
Place = tuple[object, object, object]
#: At each place the replicates of each choice.
Replicates = dict[Place, dict[str, Sequence[float]]]


@dataclass(frozen=True, slots=True)
class ChoiceCell:
    """One place: the `choice` there, that of others or of the truth, and what is `lost` by it where
    that is asked; `repeats` is how the replicates of the choice, or of the truth, agree."""

    panel: object
    down: object
    across: object
    choice: str
    other: str | None = None
    lost: float | None = None
    repeats: Sequence[Repeat] = ()
    same_by_replicate: Sequence[bool] = ()
    """Of each replicate, whether it chooses as others."""
    level: Sequence[str] = ()
    """Other choices that do not differ from the best one by more than the scatter and the fit."""

    @property
    def differs(self) -> bool:
        """Whether others choose something else."""
        return self.other is not None and self.other != self.choice

    @property
    def is_apart(self) -> bool:
        """Whether they choose something that is worse here by more than scatter and fit."""
        return self.differs and self.other not in self.level


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
        """How many cells agree, or what choices cost, in each panel; then how the truth repeats."""
        said = self._cost if self.figure.to else self._agreement
        found = [(self.name(panel), said(panel)) for panel in self.panels]
        notes = [f"{name}: {t}." if name else f"{t[0].upper()}{t[1:]}." for name, t in found if t]
        return notes + _signs(self.cells) * (not self.figure.to)

    def lost(self, panel: object) -> list[float]:
        """What each choice of one panel loses, as a share; empty unless a truth is known."""
        return [cell.lost for cell in self.of(panel) if cell.lost is not None]

    def _agreement(self, panel: object) -> str:
        cells = self.of(panel)
        known = [cell for cell in cells if cell.other is not None]
        if not known:
            level = sum(bool(cell.level) for cell in cells)
            text = f"in {level} of {counted(len(cells), 'cell')} others are indistinguishable"
            return f"{text} from the choice" if level else ""
        same = sum(not cell.differs for cell in known)
        text = f"{same} of {len(known)} cells as {self.figure.published}"
        counts = [sum(each) for each in zip(*(c.same_by_replicate for c in known), strict=False)]
        if len(set(counts)) > 1:
            text += f" (by single replicates {min(counts)} to {max(counts)})"
        return text + _apart(known, str(self.figure.published)) + _level(known)

    def _cost(self, panel: object) -> str:
        cells, lost = self.of(panel), self.lost(panel)
        if not lost:
            return ""
        text = f"the best in {sum(each <= 0 for each in lost)} of {len(lost)} cells"
        text = f"{text}; loses {fmean(lost):.2%} on average, at most {max(lost):.1%}"
        return text + _apart(cells, "the truth") + _level(cells) + _ceiling(cells)

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


def _apart(cells: Sequence[ChoiceCell], others: str) -> str:
    """How far choices that are numbers lie apart, and whether they grow along both axes."""
    both = [(c, steps) for c in cells if (steps := doublings(c.choice, c.other or "")) is not None]
    if not both:
        return ""
    numbers = [cell for cell, _ in both]
    near = sum(steps <= 1 for _, steps in both)
    of = "" if len(both) == len(cells) else f" of {len(both)} with numbers"
    mean = fmean(steps for _, steps in both)
    text = f"; {near}{of} within a factor of 2, |log₂| apart by {mean:.2f} on average"
    places = [(cell.across, cell.down) for cell in numbers]
    ours = spearman(places, [cell.choice for cell in numbers])
    theirs = spearman(places, [cell.other or "" for cell in numbers])
    if ours is None or theirs is None:
        return text
    return f"{text}; Spearman's correlation with x·y is {ours:.2f}, that of {others} {theirs:.2f}"


def _signs(cells: Sequence[ChoiceCell]) -> list[str]:
    """What the two choices in a cell mean, by the first cell that has them."""
    differing = {cell.is_apart: cell for cell in reversed(cells) if cell.differs}
    means = {True: "≠ {0.other}: ours is {0.choice}", False: "~ {0.other}: both are as good"}
    found = [f"{c.choice} {means[apart].format(c)}" for apart, c in sorted(differing.items())]
    return [f"{'; '.join(reversed(found))}."] if found else []


def _level(cells: Sequence[ChoiceCell]) -> str:
    """In how many cells the choice could as well be another one."""
    several = [cell for cell in cells if cell.level]
    if not several:
        return ""
    known = sum(not cell.is_apart for cell in cells)
    return (
        f"; in {counted(len(several), 'cell')} others are indistinguishable from the choice:"
        f" counting those, {known} are right"
    )


def _ceiling(cells: Sequence[ChoiceCell]) -> str:
    """What a replicate of the truth would get by its own choice: no model can get more."""
    found = [(fmean(r.right for r in c.repeats), fmean(r.lost for r in c.repeats))
             for c in cells if c.repeats]  # fmt: skip
    if not found:
        return ""
    right, lost = sum(each[0] for each in found), fmean(each[1] for each in found)
    return (
        f"; the choice of one replicate of the truth, judged by the others, is the best in"
        f" {right:.1f} of {len(found)} and loses {lost:.2%}"
    )


def choice_data(study: Study, figure: BestChoice) -> ChoiceData:
    """The best choice of every place, beside those of others."""
    data = ChoiceData(figure, study.metrics[figure.value].label, choice_order(study, figure))
    data.scales = study.scales
    ours = choice_values(study, figure, figure.row, figure.where)
    others = _published(study, figure)
    truth: Replicates = {}
    if figure.to:
        kept = {key: value for key, value in figure.where.items() if key not in figure.to}
        truth = choice_values(study, figure, None, {**kept, **figure.to}, judges=True)
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
    error = error_of(study, figure.value, where)
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


def choice_order(study: Study, figure: BestChoice) -> list[str]:
    """All choices, in planned order."""
    values = study.values.get(figure.among, [])
    return [_label(study, figure, value) for value in values if value is not None]


def _label(study: Study, figure: BestChoice, value: object) -> str:
    return value_label(figure.among, value, study.scales.get(figure.among))


def choice_values(
    study: Study, figure: BestChoice, row: str | None, where: Where, *, judges: bool = False
) -> Replicates:
    """The replicates of each choice at each place, but for places without a choice and those of a
    busy machine. Where they judge others, none of ranks that shared processors."""
    keys = [key for key in (row, figure.y, figure.x, figure.among) if key]
    places = [key for key in keys if key != figure.among]
    busy = {
        tuple(each[key] for key in places)
        for each in study.groups(figure.value, places, where)
        if each["flag"] or (judges and each["crowded"])
    }
    found: Replicates = {}
    for each in study.replicates(figure.value, keys, where):
        place = (each[row] if row else None, each[figure.y], each[figure.x])
        is_busy = tuple(each[key] for key in places) in busy
        if not is_busy and each[figure.among] is not None and None not in place[1:]:
            found.setdefault(place, {})[_label(study, figure, each[figure.among])] = each["values"]
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

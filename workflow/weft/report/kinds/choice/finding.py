"""What a map of choices says: how often each is best, or right, and what wrong ones lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from statistics import fmean

from weft.config.model.figures import BestChoice
from weft.report.data.choices import Best, Place, choice_values
from weft.report.data.settings_in_words import lowered
from weft.report.data.source import Study
from weft.report.data.units import counted, key_label, listing, value_label
from weft.report.kinds.choice.cells import ChoiceCell
from weft.report.kinds.choice.rows import ChoiceData, choice_data

#: More choices that win somewhere are counted together.
_MOST_NAMED = 4


def judged_choices(data: ChoiceData) -> str:
    """What each panel's choices are worth, without a full stop; nothing where nobody judges."""
    figure = data.figure
    said = [(panel, _judged(data, panel)) for panel in judging_panels(data)]
    parts = [f"{_who(figure, panel)} {text}" for panel, text in said if text]
    if not parts:
        return ""
    return f"judged by {data.judge}, {'; '.join(parts)}"


def judging_panels(data: ChoiceData) -> list[object]:
    """The panels whose choices somebody judges: the truth chooses what is best by itself."""
    figure = data.figure
    others = [panel for panel in data.panels if panel != (figure.to or {}).get(figure.row or "")]
    return others or data.panels


def best_choices(study: Study, figure: BestChoice) -> list[str]:
    """How often each choice is best in a map that nobody judges, and what one for all loses."""
    if figure.is_judged:
        return []
    values, _ = choice_values(study, figure, figure.row, figure.where)
    means = {
        place: {name: fmean(each) for name, each in mine.items()} for place, mine in values.items()
    }
    means = {place: mine for place, mine in means.items() if len(mine) > 1}
    best: Best = max if study.metrics[figure.value].direction == "higher" else min
    if len(means) <= 1:
        return []
    # The map shows which choice, where several are as good.
    cells = [
        cell
        for cell in choice_data(study, figure).cells
        if (cell.panel, cell.down, cell.across) in means
    ]
    wins = Counter(cell.choice for cell in cells)
    extreme = "highest" if best is max else "lowest"
    what = f"the {extreme} {lowered(study.metrics[figure.value].label)}"
    (first, most), *others = wins.most_common()
    if not others:
        return [f"{first} has {what} at all {len(means):,} settings."]
    parts = [
        f"{name} at {count:,}{_region(figure, cells, name)}" for name, count in others[:_MOST_NAMED]
    ]
    left = others[_MOST_NAMED:]
    parts += [f"{counted(len(left), 'other')} at {sum(c for _, c in left):,}"] if left else []
    most_at = f"{most:,}{_region(figure, cells, first)}"
    said = f"Of {len(means):,} settings, {first} has {what} at {most_at}, {listing(parts)}."
    return [said, *_one_for_all(figure, means, best)]


def _region(figure: BestChoice, cells: Sequence[ChoiceCell], name: str) -> str:
    """` (message size from 256 KiB on)`, where the cells of a choice are a rectangle of the map."""
    if figure.row:
        return ""
    mine = [cell for cell in cells if cell.choice == name]
    sides = []
    inside = cells
    for key, at in ((figure.y, attrgetter("down")), (figure.x, attrgetter("across"))):
        values = sorted({at(cell) for cell in cells}, key=repr)
        numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(numbers) < len(values):
            return ""
        every, held = sorted(numbers), {at(cell) for cell in mine}
        low, high = min(held), max(held)
        inside = [cell for cell in inside if low <= at(cell) <= high]
        first, last = value_label(key, low), value_label(key, high)
        if low == high and len(every) > 1:
            sides.append(f"{key_label(key).lower()} {first}")
        elif low == every[0] and high < every[-1]:
            sides.append(f"{key_label(key).lower()} up to {last}")
        elif low > every[0] and high == every[-1]:
            sides.append(f"{key_label(key).lower()} from {first} on")
        elif low > every[0]:
            sides.append(f"{key_label(key).lower()} {first} to {last}")
    return f" ({', '.join(sides)})" if sides and len(inside) == len(mine) else ""


def _one_for_all(
    figure: BestChoice, means: Mapping[Place, Mapping[str, float]], best: Best
) -> list[str]:
    """`One for all settings: b loses least, 3% on average and 12% at most (at 8 ranks).`"""
    names = set.intersection(*(set(mine) for mine in means.values()))
    bests = {place: best(mine.values()) for place, mine in means.items()}
    if not names or not all(bests.values()):
        return []
    lost = {
        name: {place: abs(mine[name] / bests[place] - 1) for place, mine in means.items()}
        for name in sorted(names)
    }
    name = min(lost, key=lambda each: fmean(lost[each].values()))
    place = max(lost[name], key=lambda each: lost[name][each])
    _, down, across = place
    at = f"{value_label(figure.x, across)} and {value_label(figure.y, down)}"
    keys = f"{key_label(figure.x).lower()} and {key_label(figure.y).lower()}"
    return [
        f"If only one {key_label(figure.among).lower()} may be used, {name} loses least:"
        f" {fmean(lost[name].values()):.1%} on average, {lost[name][place]:.0%} at most"
        f" ({keys}: {at})."
    ]


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

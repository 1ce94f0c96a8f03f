"""What stands below a map of choices: how many are right, what they cost, and what signs mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from weft.report.data.units import counted
from weft.report.kinds.choice.cells import ChoiceCell

#: The names of both axes.
Axes = tuple[str, str]
#: Fewer places than this have no order worth a number.
_FEWEST_RANKED = 4


def agreement(cells: Sequence[ChoiceCell], judge: str, axes: Axes) -> str:
    """In how many cells of a panel the choice is that of the judge; else where it is not alone."""
    known = [cell for cell in cells if cell.other is not None]
    if not known:
        level = sum(bool(cell.level) for cell in cells)
        text = f"In {level} of {counted(len(cells), 'cell')} others are indistinguishable"
        return f"{text} from the choice." if level else ""
    same = sum(not cell.differs for cell in known)
    text = f"The choice is that of {judge} in {same} of {counted(len(known), 'cell')}"
    counts = [sum(each) for each in zip(*(c.same_by_replicate for c in known), strict=False)]
    if len(set(counts)) > 1:
        text += f" (by single replicates {min(counts)} to {max(counts)})"
    return f"{text}{_apart(known, judge, axes)}{_level(known)}"


def cost(cells: Sequence[ChoiceCell], judge: str, axes: Axes) -> str:
    """How often the choices of a panel are the best by the judge, and what the others lose."""
    lost = [cell.lost for cell in cells if cell.lost is not None]
    if not lost:
        return ""
    text = f"By {judge} the choice is the best in {sum(each <= 0 for each in lost)} of"
    text += f" {counted(len(lost), 'cell')}"
    if any(lost):
        text += f", and loses {fmean(lost):.2%} on average, at most {max(lost):.1%}"
    return f"{text}{_apart(cells, judge, axes)}{_level(cells)}{_ceiling(cells, judge)}"


def signs(cells: Sequence[ChoiceCell], costs: bool) -> list[str]:
    """What signs, frames and empty cells mean, by the first cell that has them."""
    if costs:
        found = ["A cell without a number loses nothing."] * any(c.lost == 0 for c in cells)
        framed = any(cell.is_apart for cell in cells)
        return found + ["Orange frame: another choice is better there."] * framed
    differing = {cell.is_apart: cell for cell in reversed(cells) if cell.differs}
    means = {
        True: "{0.choice} ≠ {0.other} in an orange frame: ours is {0.choice}, theirs {0.other}.",
        False: "{0.choice} ~ {0.other}: ours is {0.choice}, theirs {0.other}; both are as good.",
    }
    return [means[apart].format(cell) for apart, cell in sorted(differing.items(), reverse=True)]


def gaps(left_out: int) -> list[str]:
    """Why cells are missing."""
    if not left_out:
        return []
    return [
        f"{counted(left_out, 'place')} {'has' if left_out == 1 else 'have'} no cell: what was"
        " measured there, on a busy machine or with more ranks than processors, judges nothing."
    ]


def _apart(cells: Sequence[ChoiceCell], judge: str, axes: Axes) -> str:
    """How far choices that are numbers lie apart, and whether they grow along both axes."""
    both = [(c, steps) for c in cells if (steps := doublings(c.choice, c.other or "")) is not None]
    if not both:
        return "."
    near = sum(steps <= 1 for _, steps in both)
    of = "" if len(both) == len(cells) else f" of {len(both)} with numbers"
    mean = fmean(steps for _, steps in both)
    text = f"; {near}{of} are within a factor of 2"
    if mean:
        text += f", and both are {mean:.2f} powers of two apart on average"
    places = [(cell.across, cell.down) for cell, _ in both]
    ours = spearman(places, [cell.choice for cell, _ in both])
    theirs = spearman(places, [cell.other or "" for cell, _ in both])
    if ours is None or theirs is None:
        return f"{text}."
    product = " × ".join(axis.lower() for axis in axes)
    return (
        f"{text}. Spearman's rank correlation of {product} with the choice is {ours:.2f}, and"
        f" {theirs:.2f} with that of {judge}."
    )


def _level(cells: Sequence[ChoiceCell]) -> str:
    """In how many cells the choice could as well be another one."""
    several = [cell for cell in cells if cell.level]
    if not several:
        return ""
    known = sum(not cell.is_apart for cell in cells)
    return (
        f" In {counted(len(several), 'cell')} others are indistinguishable from the choice; with"
        f" those, {known} are right."
    )


def _ceiling(cells: Sequence[ChoiceCell], judge: str) -> str:
    """What a replicate of the truth would get by its own choice: no model can get more."""
    found = [(fmean(r.right for r in c.repeats), fmean(r.lost for r in c.repeats))
             for c in cells if c.repeats]  # fmt: skip
    if not found:
        return ""
    right, lost = sum(each[0] for each in found), fmean(each[1] for each in found)
    return (
        f" No prediction can do better than one replicate of {judge}: its own choice, judged by the"
        f" other replicates, is the best in {right:.1f} of {len(found)} and loses {lost:.2%}."
    )


def doublings(ours: str, theirs: str) -> float | None:
    """How many doublings two choices lie apart, where both are numbers."""
    try:
        return abs(math.log2(float(ours)) - math.log2(float(theirs)))
    except ValueError:
        return None


def spearman(places: Sequence[tuple[object, object]], choices: Sequence[str]) -> float | None:
    """The rank correlation of the product of both axes with the choice, where all are numbers."""
    products, numbers = [], []
    for (across, down), choice in zip(places, choices, strict=True):
        try:
            number = float(choice)
        except ValueError:
            continue
        if not (isinstance(across, int | float) and isinstance(down, int | float)):
            return None
        products.append(float(across) * float(down))
        numbers.append(number)
    if len(numbers) < _FEWEST_RANKED or len(set(products)) < 2 or len(set(numbers)) < 2:
        return None
    # On first use: it takes longer to import than most pages to write.
    from scipy.stats import spearmanr

    return float(spearmanr(products, numbers).statistic)

"""How good choices are: against others, against a truth, and how well the truth repeats itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

#: `min` where the lower value is the better one, `max` where the higher one is.
Best = Callable[[Iterable[float]], float]
#: Fewer places than this have no order worth a number.
_FEWEST_RANKED = 4


@dataclass(frozen=True, slots=True)
class Repeat:
    """What one replicate chooses, by what the others say: the share that it loses."""

    right: bool
    lost: float


def best_of(values: Mapping[str, float], best: Best) -> str:
    """The name with the best value; the first of several."""
    wanted = best(values.values())
    return next(name for name, value in values.items() if value == wanted)


def repeats(replicates: Mapping[str, Sequence[float]], best: Best) -> list[Repeat]:
    """For each replicate, what its best choice loses by the mean of the other replicates.

    Nothing where the choices have no replicates, or not the same number of them.
    """
    counts = {len(values) for values in replicates.values()}
    count = counts.pop() if len(counts) == 1 else 0
    found = []
    for left_out in range(count if count > 1 else 0):
        own = {name: values[left_out] for name, values in replicates.items()}
        others = {
            name: fmean(v for n, v in enumerate(values) if n != left_out)
            for name, values in replicates.items()
        }
        chosen, wanted = others[best_of(own, best)], best(others.values())
        found.append(Repeat(chosen == wanted, abs(chosen / wanted - 1) if wanted else 0.0))
    return found


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

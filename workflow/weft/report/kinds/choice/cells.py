"""One cell of a map of choices, and how well its truth repeats itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from weft.report.data.choices import Best, best_of


@dataclass(frozen=True, slots=True)
class Repeat:
    """What one replicate chooses, by what the others say: the share that it loses."""

    right: bool
    lost: float


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

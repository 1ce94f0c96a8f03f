"""One cell of a map of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.report.data.choice_scores import Repeat


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

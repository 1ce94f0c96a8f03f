"""The small table below a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """A value: the best of its column, as good as the best, or behind it by a factor."""

    text: str
    state: Literal["best", "level", "behind", "none"] = "none"
    behind: float = 1.0

    @property
    def shade(self) -> int:
        """How dark the cell is: 0 up to 10 % behind, 4 from five times on."""
        return sum(self.behind >= bound for bound in (1.1, 1.5, 2.0, 5.0))


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Rows by alternative, columns by place. `corner` names the rows, `note` explains the marks."""

    caption: str
    corner: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[AnswerCell, ...]], ...]
    note: str

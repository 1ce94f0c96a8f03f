"""What the rows of lines, bars and timelines have in common: each belongs to a series."""

from __future__ import annotations

from collections.abc import Sequence

from weft.report.data.source import Row


class SeriesRows:
    """Base of rows with the key `series`, about what `label` names."""

    label: str
    rows: Sequence[Row]

    @property
    def legend(self) -> bool:
        """Whether there are series to distinguish."""
        return len({row["series"] for row in self.rows}) > 1

    @property
    def nothing(self) -> str | None:
        """What the page says instead, where nothing can be drawn."""
        return None if self.rows else f"No values of {self.label.lower()} yet."

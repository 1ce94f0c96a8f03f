"""What to know of an answer before one relies on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caveat:
    """One line that says what the limit is, and what explains it, which a page folds away."""

    line: str
    more: str = ""

    @property
    def text(self) -> str:
        """Both, where nothing can be folded."""
        return f"{self.line} {self.more}".rstrip()

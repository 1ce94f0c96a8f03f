"""Bounds that numbers are held to, and what became of a statement.

Claims of papers and expectations of experiments are judged alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

#: A statement held, was missed, or nothing judges it: points failed, are flagged, or have not run.
Verdict = Literal["held", "missed", "void"]
HELD: Verdict = "held"
MISSED: Verdict = "missed"
VOID: Verdict = "void"


@dataclass(frozen=True, slots=True)
class Bound:
    """Between which ends a number has to lie, and in words `what` it is; without an end there is
    no limit. `least` and `most` belong to the bound, `above` and `below` do not."""

    what: str
    least: float | None = None
    most: float | None = None
    unit: str = ""
    above: float | None = None
    below: float | None = None

    def met(self, value: float) -> bool:
        """Whether `value` lies within the bound; a number that is none (NaN) does not."""
        return (
            value == value
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def nearest_end(self, value: float) -> float | None:
        """The end that `value` is beyond; None of a value within the bound."""
        if self.met(value):
            return None
        lower = [end for end in (self.least, self.above) if end is not None and value <= end]
        upper = [end for end in (self.most, self.below) if end is not None and value >= end]
        return next(iter((*lower, *upper)), None)

    def text(self) -> str:
        """`the correlation at least 0.7`."""
        if self.least is not None and self.least == self.most:
            return f"{self.what} exactly {self._with_unit(self.least)}"
        return f"{self.what} {' and '.join(self._ends())}"

    def _ends(self) -> Iterator[str]:
        named = {
            "at least": self.least,
            "above": self.above,
            "at most": self.most,
            "below": self.below,
        }
        for word, end in named.items():
            if end is not None:
                yield f"{word} {self._with_unit(end)}"

    def _with_unit(self, end: float) -> str:
        return f"{end:g} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Check:
    """One bound in words, and whether our number met it."""

    bound: str
    met: bool


def verdict_of(checks: Sequence[Check]) -> Verdict:
    """Held where every check is met; without any there is nothing to judge."""
    if not checks:
        return VOID
    return HELD if all(check.met for check in checks) else MISSED

"""The bound of a statement as numbers in stored units."""

from __future__ import annotations

from weft.analysis.bounds import Bound
from weft.config.language.amounts import amount
from weft.config.model.expectation import Bounded
from weft.report.data.units import factor, short


def bound_of(stated: Bounded, unit: str, what: str = "") -> Bound:
    """The bound of numbers that are stored in `unit`."""
    ends = {name: amount(end, unit) for name, end in stated.ends().items()}
    return Bound(
        what,
        least=ends.get("at_least"),
        most=ends.get("at_most"),
        above=ends.get("above"),
        below=ends.get("below"),
    )


def in_words(stated: Bounded) -> str:
    """`at least 1 ms and below 2 ms`, as written; empty without an end."""
    return " and ".join(f"{name.replace('_', ' ')} {end}" for name, end in stated.ends().items())


def beyond(value: float, bound: Bound) -> str:
    """How far a value is beyond the bound, such as ` (20% above)`, or ` (×2.50)`; empty where no
    share says it."""
    end = bound.nearest_end(value)
    if end is None or not end or value == end:
        return ""
    off = abs(value - end) / abs(end)
    if off >= 1:
        return f" ({factor(value / end)})"
    return f" ({short(float(f'{100 * off:.3g}'))}% {'above' if value > end else 'below'})"

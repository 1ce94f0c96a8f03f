"""Amounts of a metric as an experiment states them: `2 ms`, `64 KiB`, `120 cycles`, `10 %`."""

from __future__ import annotations

import re
from decimal import Decimal
from math import isfinite

from weft.config.language.errors import nearest
from weft.config.language.units import in_unit, split

#: What a metric measures, by the unit in which it is stored: its name, how the unit is called where
#: amounts are read, and an example.
_READ = {
    "s": ("a time", "second", "2 ms"),
    "B": ("an amount of data", "byte", "64 KiB"),
    "B/s": ("a rate", "byte / second", "4 GB/s"),
}
_CYCLES = ("cycle", "cycles")
_PER_CENT = re.compile(r"\s*([+-]?\d+\.?\d*(?:[eE][+-]?\d+)?)\s*%\s*")


def amount(value: float | str, unit: str) -> float:
    """`value` in the `unit` in which a metric is stored; `1` is that of numbers and shares.

    Raises ValueError, with an example, for a unit that is missing or wrong, and for a number that
    is not finite.
    """
    if unit == "1":
        return share_or_number(value)
    name, written, example = _READ.get(unit, ("an amount", "", f"120 {_plural(unit)}"))
    hint = f"expected {name} with its unit, like '{example}'"
    if not isinstance(value, str):
        raise ValueError(f"{hint}; got {value!r}")
    try:
        return float(in_unit(value, written) if written else _counted(value, unit))
    except ValueError as error:
        raise ValueError(f"{hint}; {error}") from None


def share_or_number(value: float | str) -> float:
    """A number, or a share like `10 %`, which is 0.1.

    Raises ValueError for anything else.
    """
    if isinstance(value, str):
        found = _PER_CENT.fullmatch(value)
        if found is None:
            raise ValueError(f"expected a number without a unit, or a share like '10 %'; {value!r}")
        return float(Decimal(found[1]) / 100)
    if not isfinite(value):
        raise ValueError(f"expected a number, got {value}")
    return float(value)


def _counted(text: str, unit: str) -> Decimal:
    number, written = split(text)
    allowed = _CYCLES if unit in _CYCLES else (unit,)
    if written not in allowed:
        raise ValueError(f"'{text}' has another unit{nearest(written, allowed)}")
    return number


def _plural(unit: str) -> str:
    return _CYCLES[1] if unit in _CYCLES else unit

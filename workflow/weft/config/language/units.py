"""Units: what `KiB` and `Gbit/s` are worth, and which unit was meant by one that there is not.

The registry knows only information and time, so that no other unit can be taken for one of
these. B is a byte and b a bit; k, M, G are powers of 1000 and Ki, Mi, Gi powers of 1024.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from typing import Any

from weft.config.language.errors import nearest

_DEFINITIONS = """
nano- = 1e-9 = n-
micro- = 1e-6 = u- = µ-
milli- = 1e-3 = m-
kilo- = 1e3 = k-
mega- = 1e6 = M-
giga- = 1e9 = G-
tera- = 1e12 = T-
kibi- = 1024 = Ki-
mebi- = 1048576 = Mi-
gibi- = 1073741824 = Gi-
tebi- = 1099511627776 = Ti-
byte = [information] = B
bit = 0.125 * byte = b
second = [time] = s
minute = 60 * second = min
hour = 3600 * second = h
"""
_WRITTEN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\W\d].*?)\s*")
#: A unit, or one by another; what else pint would read, it may also stumble over.
_UNIT = re.compile(r"[^\W\d_]+(\s*/\s*[^\W\d_]+)?")
_PER_SECOND = re.compile(r"(?P<prefix>[kKMmGgTt]?|[KMGT]i)(?P<what>B|b|bit)ps")
#: Decimal digits before and behind the point; more of them would fill the memory.
_MOST_DIGITS = 40

_DATA = [
    f"{prefix}{unit}"
    for unit in ("B", "bit")
    for prefix in ("", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti")
]
_INFORMATION = ("byte", "bit")
#: Units that a message may suggest, by the unit in which weft stores what they measure.
_SUGGESTED = {
    "second": ["s", "ms", "us", "ns", "min", "h"],
    "byte": _DATA,
    "byte / second": [f"{unit}/s" for unit in _DATA],
}


@lru_cache(maxsize=4096)
def split(text: str) -> tuple[Decimal, str]:
    """`2 KiB` as the number and the unit's text.

    Raises ValueError when `text` is not a number followed by a unit.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a number with a unit")
    try:
        number = Decimal(match[1])
    except InvalidOperation:
        # Its exponent has more digits than a Decimal holds.
        size = "small" if "e-" in match[1].lower() else "large"
        raise ValueError(f"'{text}' is too {size}") from None
    if abs(number.adjusted()) > _MOST_DIGITS:
        raise ValueError(f"'{text}' is too {'large' if number.adjusted() > 0 else 'small'}")
    # Keyboards write the Greek letter, the registry the sign for micro.
    return number, match[2].replace("\u03bc", "\u00b5")


@cache
def _registry() -> Any:
    # On first use: jobs get numbers in SI units.
    import pint

    # Decimal keeps `100 ns` at exactly 1e-07, so that equal quantities give equal point ids.
    return pint.UnitRegistry(_DEFINITIONS.strip().splitlines(), non_int_type=Decimal)


@lru_cache(maxsize=4096)
def in_unit(text: str, unit: str) -> Decimal:
    """The quantity `text` as a multiple of `unit`, exactly.

    Raises ValueError for unknown units, wrong dimensions, and for a prefix of the wrong case:
    megaseconds and millibytes are mistakes. The message has the unit that was meant.
    """
    import pint

    number, written = split(text)
    if not _UNIT.fullmatch(written):
        raise _unknown_unit(text, written, unit)
    try:
        factor = _registry().Quantity(Decimal(1), written).to(unit).magnitude
    except pint.DimensionalityError:
        rate = f"{written}/s"
        meant = f"; did you mean '{rate}'?" if rate in _SUGGESTED.get(unit, []) else ""
        raise ValueError(f"'{text}' has another dimension{meant}") from None
    except (pint.PintError, ValueError, TypeError, AttributeError, SyntaxError):
        raise _unknown_unit(text, written, unit) from None
    if any(
        prefix < 1 if base in _INFORMATION else prefix > 1 for prefix, base in _prefixes(written)
    ):
        worth = f"{(number * Decimal(factor)).normalize():f}"
        shown = _SUGGESTED.get(unit, [unit])[0]
        raise ValueError(f"'{text}' would be {worth} {shown}{_other_case(written, unit)}")
    return number * Decimal(factor)


def _prefixes(written: str) -> Iterator[tuple[Decimal, str]]:
    """The prefix of each unit that is written, as a factor, with the unit itself."""
    for name in re.split(r"\s*/\s*", written):
        prefix, base, _ = _registry().parse_unit_name(name)[0]
        yield Decimal(_registry().Quantity(Decimal(1), prefix + base).to(base).magnitude), base


def _unknown_unit(text: str, written: str, unit: str) -> ValueError:
    near = _other_case(written, unit)
    # One letter more or less is another unit, not a slip.
    if not near and len(written) > 2:
        near = nearest(written, _SUGGESTED.get(unit, []))
    advice = _per_second(written) or _prefix_alone(written, unit) or near
    return ValueError(f"'{text}' has an unknown unit '{written}'{advice}")


def _prefix_alone(written: str, unit: str) -> str:
    """The units of data with this prefix, or nothing: `4 k` may be 4,000 B or 4,096 B."""
    known = _SUGGESTED.get(unit, [])
    end = "B/s" if "B/s" in known else "B"
    meant = [
        each
        for each in (
            f"{written.lower()}{end}",
            f"{written.upper()}{end}",
            f"{written.upper()}i{end}",
        )
        if each in known
    ]
    return f"; write {' or '.join(map(repr, meant))}" if len(written) == 1 and meant else ""


def _per_second(written: str) -> str:
    """How a rate that is written with `ps` is written here, or nothing."""
    found = _PER_SECOND.fullmatch(written)
    if found is None:
        return ""
    prefix = found["prefix"]
    prefix = "k" if prefix in ("k", "K") else prefix.upper() if len(prefix) == 1 else prefix
    return f"; write '{prefix}{'B' if found['what'] == 'B' else 'bit'}/s'"


def _other_case(written: str, unit: str) -> str:
    """The unit that is written alike but for its case, as a suggestion, or nothing."""
    # A small b is a bit, whatever the case of its prefix.
    folded = re.sub(r"b(?=/|$)", "bit", re.sub(r"\s", "", written)).casefold()
    same = [each for each in _SUGGESTED.get(unit, []) if each.casefold() == folded]
    return f"; did you mean '{same[0]}'?" if same else ""

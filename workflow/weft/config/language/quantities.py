"""Quantities with units: `4 GB/s`, `100 ns`, `2 KiB` become numbers in SI units and bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite
from typing import Annotated

from pydantic import (
    BeforeValidator,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

from weft.config.language.file_limits import MOST_INTEGER
from weft.config.language.units import in_unit, split

#: Few mean bits by it, as they do in a rate.
_BITS = re.compile(r"([kmMGT]?|[KkMmGgTt]i)b")
_PATTERN = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*[A-Za-zµ].*$"


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a key measures: its name, its stored unit and an example to show."""

    name: str
    unit: str
    example: str
    most: str


RATE = Dimension("a rate", "byte / second", "4 GB/s", "1000000 TB/s")
TIME = Dimension("a time", "second", "100 ns", "1000000 h")
#: In a network, where nothing takes hours.
DELAY = Dimension("a time", "second", "100 ns", "1 h")
SIZE = Dimension("an amount of data", "byte", "2 KiB", "1000000 TB")
#: The context in which stored JSON is validated: its quantities are numbers in SI units already.
STORED: dict[str, object] = {}
_MOST_VALUES = 1_000_000


def in_si(text: str) -> Decimal:
    """The quantity `text` in bytes, seconds or bytes per second.

    Raises ValueError for what is none of these.
    """
    for dimension in (SIZE, TIME, RATE):
        try:
            return in_unit(text, dimension.unit)
        except ValueError:
            continue
    raise ValueError(f"'{text}' is not a quantity")


def parse(value: object, dimension: Dimension) -> float:
    """`value` in the dimension's unit.

    Raises ValueError, with an example, for a bare number, an unknown unit, another dimension
    and a negative amount.
    """
    return float(_exactly(value, dimension))


def _exactly(value: object, dimension: Dimension) -> Decimal:
    hint = f"expected {dimension.name} with its unit, like '{dimension.example}'"
    if not isinstance(value, str):
        raise ValueError(f"{hint}; got {'null' if value is None else repr(value)}")
    try:
        if dimension is SIZE and (bits := _BITS.fullmatch(split(value)[1])):
            prefix = bits[1]
            if prefix == "m" or len(prefix) > 1:
                prefix = prefix.capitalize()
            raise ValueError(
                f"in '{value}' b is a bit; write '{prefix}B' for bytes, or '{prefix}bit' for bits"
            )
        number = in_unit(value, dimension.unit)
    except ValueError as error:
        raise ValueError(f"{hint}; {error}") from None
    if number < 0:
        raise ValueError(f"{hint}; '{value}' is negative")
    if number > in_unit(dimension.most, dimension.unit):
        raise ValueError(f"{hint}; '{value}' is too large, at most {dimension.most}")
    return number


def _rate(value: object) -> float:
    rate = parse(value, RATE)
    if rate == 0:
        raise ValueError("a rate must be above zero")
    return rate


def _time(value: object, info: ValidationInfo) -> float:
    if info.context is STORED and isinstance(value, float):
        return value
    return parse(value, TIME)


def _delay(value: object) -> float:
    return parse(value, DELAY)


def whole_bytes(value: object) -> int:
    """An amount of data that is a whole number of bytes."""
    # A float cannot hold every whole number above 2^53.
    number = _exactly(value, SIZE)
    if number != int(number):
        raise ValueError(f"'{value}' is not a whole number of bytes")
    return int(number)


def spread(value: Mapping[str, object]) -> list[object]:
    """The values of `{from, to, step|factor}`, numbers or quantities, both ends included.

    Quantities come back as texts in the unit of `from`. Raises ValueError when the range is
    empty, endless or has other keys.
    """
    keys = set(value)
    if not {"from", "to"} <= keys <= {"from", "to", "step", "factor"} or len(keys) == 4:
        raise ValueError("a range has the keys from, to and either step or factor")
    start, unit = _number(value["from"], "")
    if unit:
        _check_unit(str(value["from"]), unit)
    stop, _ = _number(value["to"], unit)
    step = Decimal(1) if keys == {"from", "to"} else Decimal(0)
    if "step" in value:
        step, _ = _number(value["step"], unit)
    factor = _number(value["factor"], "")[0] if "factor" in value else Decimal(1)
    if stop > MOST_INTEGER:
        raise ValueError(f"the range ends at {value['to']}; at most {MOST_INTEGER}")
    if step < 0 or factor < 1 or (step == 0 and factor == 1) or (step == 0 and start <= 0):
        raise ValueError("a range needs a step above 0, or a factor above 1 from above 0")
    if factor == 1 and (stop - start) // step >= _MOST_VALUES:
        raise ValueError(f"a range may have {_MOST_VALUES:,} values at most")
    numbers = []
    while start <= stop:
        numbers.append(start)
        start = start * factor + step
        if len(numbers) > _MOST_VALUES:
            raise ValueError(f"a range may have {_MOST_VALUES:,} values at most")
    if not numbers:
        raise ValueError(f"the range is empty: from {value['from']} to {value['to']}")
    return [_plain(number, unit) for number in numbers]


def _check_unit(text: str, unit: str) -> None:
    """Raise ValueError for a unit of nothing that weft measures, with the one that was meant."""
    mistakes: list[str] = []
    for dimension in (SIZE, TIME, RATE):
        try:
            in_unit(text, dimension.unit)
            return
        except ValueError as error:
            mistakes.append(str(error))
    if _BITS.fullmatch(unit):
        parse(text, SIZE)
    raise ValueError(max(mistakes, key=len))


def _number(value: object, unit: str) -> tuple[Decimal, str]:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{value!r} is neither a number nor a quantity")
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    if not isinstance(value, str):
        if unit:
            raise ValueError(f"{value!r} lacks a unit; the range starts in {unit}")
        return Decimal(str(value)), ""
    number, written = split(value)
    return (in_unit(value, unit), unit) if unit else (number, written)


def _plain(number: Decimal, unit: str) -> object:
    if unit:
        return f"{number.normalize():f} {unit}"
    return int(number) if number == int(number) else float(number)


def _sizes(value: object, each: ValidatorFunctionWrapHandler) -> list[int]:
    if isinstance(value, Mapping):
        value = spread(value)
    if value == []:
        raise ValueError("expected at least one message size, like '2 KiB'")
    # Of a list every mistake is reported, at its own entry.
    sizes = each(value) if isinstance(value, list) else [whole_bytes(value)]
    if len(set(sizes)) != len(sizes):
        raise ValueError("a message size is listed twice")
    return sizes


def _schema(dimension: Dimension) -> dict[str, object]:
    text = f"{dimension.name} with its unit, like '{dimension.example}'"
    shown = [dimension.example]
    return {"type": "string", "pattern": _PATTERN, "description": text, "examples": shown}


_ONE_SIZE = _schema(SIZE)
_SIZE_RANGE = {
    "type": "object",
    "properties": {"from": _ONE_SIZE, "to": _ONE_SIZE, "factor": {"type": "number"},
                   "step": _ONE_SIZE},
    "required": ["from", "to"],
    "additionalProperties": False,
}  # fmt: skip
_SIZES_SCHEMA = {
    "anyOf": [_ONE_SIZE, {"type": "array", "items": _ONE_SIZE, "minItems": 1}, _SIZE_RANGE]
}

#: Bytes per second.
Rate = Annotated[float, BeforeValidator(_rate), WithJsonSchema(_schema(RATE))]
#: Seconds.
Time = Annotated[float, BeforeValidator(_time), WithJsonSchema(_schema(TIME))]
#: Seconds, as messages spend in a network.
Delay = Annotated[float, BeforeValidator(_delay), WithJsonSchema(_schema(DELAY))]
#: Bytes: one size.
Size = Annotated[int, BeforeValidator(whole_bytes), WithJsonSchema(_ONE_SIZE)]
#: Bytes: one size, a list, or a range.
Sizes = Annotated[list[Size], WrapValidator(_sizes), WithJsonSchema(_SIZES_SCHEMA)]

"""Conditions, like `engine == flow and topology.k in [2, 4]`; nothing is evaluated as code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt
from operator import ge, gt, le, lt
from typing import Any

import yaml

from weft.config.language.file_limits import check_yaml
from weft.config.language.quantities import in_si
from weft.config.language.units import in_unit, split

_TERM = re.compile(
    r"\s*(number of\s+)?([A-Za-z_][\w.]*)\s*(?:%\s*([1-9]\d*)\s*)?"
    r"(==|!=|<=|>=|<|>|\bnot in\b|\bin\b|\bcontains\b|\bis(?: not)?(?=\s+a square))\s*(.+?)\s*"
)
#: In a bare word on the right: more terms, which `and` alone joins.
_MORE_TERMS = re.compile(r"[^\"'\[].*(\bor\b|\|\||&&|[=!<>]=)")
_KEY = re.compile(r"(?:topology|network|workload|engine|options)(?:\.\w+)+")
_ORDERS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda left, right: equal(left, right),
    "!=": lambda left, right: not equal(left, right),
    "in": lambda value, values: any(equal(value, each) for each in values),
    "not in": lambda value, values: not any(equal(value, each) for each in values),
    "contains": lambda values, value: (
        isinstance(values, list | tuple) and any(equal(each, value) for each in values)
    ),
    "is": lambda value, quality: _QUALITIES[quality](value),
    "is not": lambda value, quality: value is not None and not _QUALITIES[quality](value),
}
_QUALITIES: dict[str, Callable[[object], bool]] = {
    "a square": lambda value: type(value) is int and value >= 0 and isqrt(value) ** 2 == value,
}
GRAMMAR = (
    "write `key == value` (or != < <= > >=, also of two keys), `key in [a, b]`, `key % 2 == 1`, "
    "`key contains a`, `key is a square` or `number of key > 1`, joined by `and`"
)


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """A key on the right side of a comparison."""

    name: str


@dataclass(frozen=True, slots=True)
class Term:
    """One comparison of a key's value, as `text` says it.

    With a `divisor` what is left of the value after division is meant, with `counted` how many
    values the key has.
    """

    key: str
    operator: str
    right: object
    divisor: int | None = None
    counted: bool = False
    text: str = ""

    @property
    def allowed(self) -> list[object]:
        """The values on the right of `in`; none of another comparison."""
        return self.right if self.operator == "in" and isinstance(self.right, list) else []

    def holds(self, value_of: Callable[[str], object]) -> bool:
        """Whether it holds; values that cannot be ordered or divided are neither less nor
        greater."""
        left = value_of(self.key)
        if self.divisor:
            left = left % self.divisor if type(left) is int else None
        if self.counted:
            left = len(left) if isinstance(left, list | tuple) else int(left is not None)
        right = value_of(self.right.name) if isinstance(self.right, KeyTerm) else self.right
        if self.operator in _TESTS:
            return _TESTS[self.operator](left, right)
        numbers = _numbers(left, right)
        return numbers is not None and _ORDERS[self.operator](*numbers)


@dataclass(frozen=True, slots=True)
class Condition:
    """All terms together."""

    terms: tuple[Term, ...]

    def holds(self, value_of: Callable[[str], object]) -> bool:
        """Whether every term holds for the values that `value_of` gives."""
        return all(term.holds(value_of) for term in self.terms)

    def keys(self) -> Iterator[str]:
        """Every key that is compared, in order."""
        for term in self.terms:
            yield term.key
            if isinstance(term.right, KeyTerm):
                yield term.right.name


def equal(left: object, right: object) -> bool:
    """Whether two values are the same; `64 KiB` and `65536 B` are."""
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(equal, left, right))
    if left == right:
        return True
    # The first letter separates words from quantities: sweeps compare many, so this must be quick.
    texts = [value for value in (left, right) if isinstance(value, str)]
    if not texts or any(text.lstrip()[:1].isalpha() for text in texts):
        return False
    numbers = _numbers(left, right)
    return numbers is not None and bool(numbers[0] == numbers[1])


def parse_condition(text: object) -> Condition:
    """The condition that `text` says.

    Raises ValueError with the grammar when it says none.
    """
    if not isinstance(text, str):
        raise ValueError(f"a condition must be text; {GRAMMAR}")
    return Condition(tuple(_term(part) for part in re.split(r"\s+and\s+", text.strip())))


def _term(text: str) -> Term:
    match = _TERM.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is not a condition; {GRAMMAR}")
    counted, key, divisor, operator, written = match.groups()
    if operator.startswith("is") and written not in _QUALITIES:
        raise ValueError(f"'{text}' is not a condition; {GRAMMAR}")
    if _MORE_TERMS.match(written):
        raise ValueError(
            f"'{text}': only `and` joins terms; for one of several values write `key in [a, b]`"
        )
    right = _right(written)
    several = operator in ("in", "not in")
    # An empty list is a value of its own: nothing is chosen.
    if several != isinstance(right, list) and right != []:
        raise ValueError(f"'{text}': {operator} needs {'a list' if several else 'one value'}")
    if operator in _ORDERS and not isinstance(right, KeyTerm) and _numbers(right, right) is None:
        raise ValueError(f"'{text}': {operator} compares numbers, quantities or keys")
    return Term(
        key, operator, right, int(divisor) if divisor else None, bool(counted), text.strip()
    )


def _right(written: str) -> object:
    if _KEY.fullmatch(written):
        return KeyTerm(written)
    try:
        check_yaml(written)
        return yaml.safe_load(written)
    except (yaml.YAMLError, ValueError):
        raise ValueError(f"'{written}' is not a value; {GRAMMAR}") from None


def _numbers(left: object, right: object) -> tuple[object, object] | None:
    """Both as numbers of the same unit; None where they have no order.

    A number beside a quantity is in SI units: so are the defaults of keys.
    """
    if type(left) in (int, float) and type(right) in (int, float):
        return left, right
    try:
        if isinstance(left, str) and isinstance(right, str):
            number, unit = split(right)
            return in_unit(left, unit), number
        if type(left) in (int, float) and isinstance(right, str):
            return left, float(in_si(right))
        if isinstance(left, str) and type(right) in (int, float):
            return float(in_si(left)), right
    except ValueError:
        pass
    return None

"""Conditions of a sweep, like `engine == flow and topology.k in [2, 4]`; nothing is evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yaml

_TERM = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(==|!=|\bnot in\b|\bin\b)\s*(.+?)\s*")
GRAMMAR = "write `key == value`, `key != value` or `key in [a, b]`, joined by `and`"


@dataclass(frozen=True, slots=True)
class Term:
    """One comparison: the key's value is (or, `negated`, is not) among `values`."""

    key: str
    values: tuple[Any, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """All terms together."""

    terms: tuple[Term, ...]

    def holds(self, value_of: Callable[[str], Any]) -> bool:
        """Whether every term holds for the values that `value_of` gives."""
        return all((value_of(term.key) in term.values) != term.negated for term in self.terms)


def parse_condition(text: object) -> Condition:
    """The condition that `text` says.

    Raises ValueError with the grammar when it says none.
    """
    if not isinstance(text, str):
        raise ValueError(f"a condition is a text; {GRAMMAR}")
    return Condition(tuple(_term(part) for part in re.split(r"\s+and\s+", text.strip())))


def _term(text: str) -> Term:
    match = _TERM.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text}' is no condition; {GRAMMAR}")
    key, operator, written = match.groups()
    try:
        value = yaml.safe_load(written)
    except yaml.YAMLError:
        raise ValueError(f"'{written}' is no value; {GRAMMAR}") from None
    several = operator in ("in", "not in")
    if several != isinstance(value, list):
        raise ValueError(f"'{text}': {operator} wants {'a list' if several else 'one value'}")
    values = tuple(value) if several else (value,)
    return Term(key, values, operator in ("!=", "not in"))

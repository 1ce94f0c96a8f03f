"""Formulas of the catalogue, like `p * a * (a * h + 1)`; nothing is evaluated as code."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from math import prod
from operator import add, mul, pow, sub

_OPERATORS = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Pow: pow}
Values = Mapping[str, int | list[int]]


def value_of(formula: str, values: Values) -> int:
    """Sums, differences, products and powers of whole numbers and `values`; `product(key)` and
    `count(key)` are of a list.

    Raises ValueError for anything else.
    """
    return _value(_parsed(formula), values)


@lru_cache(maxsize=64)
def _parsed(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


def _value(part: ast.expr, values: Values) -> int:
    match part:
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            return int(_OPERATORS[type(operator)](_value(left, values), _value(right, values)))
        case ast.Call(ast.Name("product"), [ast.Name(key)], []):
            factors = values[key]
            return prod(factors) if isinstance(factors, list) else factors
        case ast.Call(ast.Name("count"), [ast.Name(key)], []) if isinstance(
            listed := values[key], list
        ):
            return len(listed)
        case ast.Constant(int(number)):
            return number
        case ast.Name(key) if isinstance(value := values[key], int):
            return value
    raise ValueError(f"{ast.unparse(part)} is not allowed in a formula")

"""A declared option as a field of its engine's model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import ge, gt, le, lt
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from weft.config.language.errors import Problem, problems
from weft.config.language.number_or_word import or_word
from weft.config.language.quantities import Rate, Size, Time
from weft.config.language.section import FilePath, Settings, SpecName
from weft.config.model.choice_by_size import or_table
from weft.config.model.declaration import UNIT_SUFFIXES, Option, spec_key

Compare = Callable[[float, float], bool]
_TYPES: dict[str, object] = {
    "integer": int,
    "number": float,
    "boolean": bool,
    "text": str,
    "file": str,
    "time": Time,
    "rate": Rate,
    "size": Size,
}
#: Pydantic's name of a bound, what it compares by, and its words in a message.
_LIMITS: dict[str, tuple[str, Compare, str]] = {
    "minimum": ("ge", ge, "at least"),
    "maximum": ("le", le, "at most"),
    "above": ("gt", gt, "above"),
    "below": ("lt", lt, "below"),
}


def option_field(key: str, option: Option) -> tuple[object, object] | list[Problem]:
    """The field's type and what Pydantic shall know of it, or what is wrong with the option."""
    found: list[Problem] = []
    place = f"options.{key}"
    # Built of values: the type is not known before the file is read.
    one: Any = _TYPES[option.type] if option.type != "choice" else _choice(option)
    bounds = {
        name: _checked(one, bound, f"{place}.{name}", found)
        for name, bound in option.bounds.items()
    }
    if bounds and not found:
        one = _bounded(one, option, bounds)
    if option.type == "integer" and option.allowed:
        one = or_word(one, option.allowed)
    value: Any = list[one] if option.several else dict[str, one] if option.keyed else one
    if option.nullable:
        value = value | None
    about: dict[str, Any] = {"description": _description(option)}
    if not option.required:
        if option.default is None:
            value = value | None
        about["default"] = option.default
        if option.default is not None and not found:
            about["default"] = _checked(value, option.default, f"{place}.default", found)
    if option.type == "file":
        value = Annotated[value, FilePath()]
    if option.type in UNIT_SUFFIXES:
        value = Annotated[value, SpecName(spec_key(key, option.type))]
        # Shown as a user writes it, not in the unit of the spec.
        about["json_schema_extra"] = {"default": option.default} if option.default else None
    return found or (value, Field(**about))


def _choice(option: Option) -> object:
    word: Any = Literal[tuple(option.allowed or ())]
    return or_table(word, option.allowed or ()) if option.by_size else word


def _bounded(one: object, option: Option, bounds: Mapping[str, Any]) -> object:
    if option.type not in UNIT_SUFFIXES:
        return Annotated[one, Field(**{_LIMITS[name][0]: value for name, value in bounds.items()})]
    # Messages show bounds as the declaration writes them, with their units.
    for name, value in bounds.items():
        _, compare, words = _LIMITS[name]
        limit = f"must be {words} {option.bounds[name]}"
        one = Annotated[one, AfterValidator(partial(_within, compare, value, limit))]
    return one


def _within(compare: Compare, bound: float, limit: str, value: float) -> float:
    if not compare(value, bound):
        raise ValueError(limit)
    return value


def _description(option: Option) -> str:
    """With the bounds of quantities, which no schema can hold."""
    if option.type not in UNIT_SUFFIXES or not option.bounds:
        return option.description
    limit = " and ".join(f"{_LIMITS[name][2]} {bound}" for name, bound in option.bounds.items())
    return f"{option.description} {limit[0].upper()}{limit[1:]}."


def _checked(kind: Any, value: object, place: str, found: list[Problem]) -> object:
    try:
        return TypeAdapter(kind, config=ConfigDict(strict=True)).validate_python(value)
    except ValidationError as error:
        found += problems(error, Settings, place)
        return value

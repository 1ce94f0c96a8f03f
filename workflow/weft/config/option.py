"""A declared option as a field of its engine's model."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from weft.config.base import Settings, SpecName
from weft.config.declaration import UNIT_SUFFIXES, Option
from weft.config.errors import Problem, problems
from weft.config.quantities import Rate, Size, Time

_TYPES: dict[str, Any] = {
    "integer": int,
    "number": float,
    "boolean": bool,
    "text": str,
    "time": Time,
    "rate": Rate,
    "size": Size,
}
_LIMITS = {"minimum": "ge", "maximum": "le", "above": "gt", "below": "lt"}


def option_field(key: str, option: Option) -> tuple[Any, Any] | list[Problem]:
    """The field's type and what Pydantic shall know of it, or what is wrong with the option."""
    found: list[Problem] = []
    place = f"options.{key}"
    # Built of values: the type is not known before the file is read.
    one: Any = Literal[tuple(option.allowed)] if option.allowed else _TYPES[option.type]
    limits = {
        _LIMITS[name]: _checked(one, bound, f"{place}.{name}", found)
        for name, bound in option.bounds.items()
    }
    if limits and not found:
        one = Annotated[one, Field(**limits)]
    value: Any = list[one] if option.several else one
    about: dict[str, Any] = {"description": option.description}
    if option.type in UNIT_SUFFIXES:
        value = Annotated[value, SpecName(key + UNIT_SUFFIXES[option.type])]
        # Shown as a user writes it, not in the unit of the spec.
        about["json_schema_extra"] = {"default": option.default} if option.default else None
    if not option.required:
        about["default"] = option.default
        if option.default is None:
            value = value | None
        elif not found:
            about["default"] = _checked(value, option.default, f"{place}.default", found)
    return found or (value, Field(**about))


def _checked(kind: Any, value: Any, place: str, found: list[Problem]) -> Any:
    try:
        return TypeAdapter(kind, config=ConfigDict(strict=True)).validate_python(value)
    except ValidationError as error:
        found += problems(error, Settings, place)
        return value

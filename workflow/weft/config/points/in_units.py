"""The plain values of a section as a file writes them: keys in place of spec names, and units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast, get_args

from pydantic import BaseModel

from weft.config.language.section import Settings, inner_model, spec_name

#: How a spec name ends, with the unit of its numbers.
UNITS = {"_bytes_per_s": "B/s", "_bytes": "B", "_s": "s"}


def in_units(model: type[BaseModel], spec: Mapping[str, object]) -> dict[str, object]:
    """What `model` validates to a section with this spec; numbers keep every digit.

    Raises ValueError for a name that the model lacks.
    """
    keys = {spec_name(model, key): key for key in model.model_fields}
    found: dict[str, object] = {}
    for name, value in spec.items():
        if name not in keys:
            raise ValueError(f"{model.__name__} has no {name}")
        found[keys[name]] = _value(model, keys[name], name, value)
    return found


def _value(model: type[BaseModel], key: str, name: str, value: object) -> object:
    if isinstance(value, Mapping):
        inner = inner_model(model, key)
        return value if inner is None else in_units(inner, cast("Mapping[str, object]", value))
    if isinstance(value, Sequence) and not isinstance(value, str):
        item = _item(model, key)
        return [in_units(item, each) for each in value]
    unit = next((unit for ending, unit in UNITS.items() if name.endswith(ending)), None)
    return value if unit is None else f"{value!r} {unit}"


def _item(model: type[BaseModel], key: str) -> type[Settings]:
    """The section that a list holds."""
    waiting: list[object] = [model.model_fields[key].annotation]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, Settings):
            return kind
        waiting += get_args(kind)
    raise ValueError(f"{model.__name__}.{key} holds no sections")

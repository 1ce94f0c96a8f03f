"""What the models of all groups share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True)
class SpecName:
    """The name, with its SI unit, under which a point's spec holds a field."""

    name: str


class Settings(BaseModel):
    """A section of an experiment: unknown keys and near-miss types are mistakes."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True
    )

    def spec(self) -> dict[str, Any]:
        """The section as plain values under spec names; keys without a value are left out."""
        model = type(self)
        values = ((spec_name(model, key), getattr(self, key)) for key in model.model_fields)
        return {name: value for name, value in values if value is not None}


def spec_name(model: type[BaseModel], key: str) -> str:
    """The spec name of a YAML key."""
    for item in model.model_fields[key].metadata:
        if isinstance(item, SpecName):
            return item.name
    return key

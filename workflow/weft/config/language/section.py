"""What the models of all groups share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from weft.config.language.attribute_docs import attribute_docs


@dataclass(frozen=True, slots=True)
class SpecName:
    """The name, with its SI unit, under which a point's spec holds a field."""

    name: str


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """Marks a text that names a file or a folder: it must lie where experiments may read
    (`weft.config.points.places`)."""


@dataclass(frozen=True, slots=True)
class FilePath(ProjectFile):
    """Marks a field that names a file by its path from the project: what is in the file decides
    a point, so its spec has the digest, too."""


class Settings(BaseModel):
    """A section of an experiment: unknown keys and near-miss types are mistakes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """With the text below each key as its description."""
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for key, text in attribute_docs(cls).items():
            if key in properties and cls.model_fields[key].description is None:
                properties[key]["description"] = text
        return schema

    def spec(self) -> dict[str, Any]:
        """The section as plain values under spec names; keys without a value are left out."""
        values = ((name, getattr(self, key)) for key, name in _spec_names(type(self)).items())
        return {name: value for name, value in values if value is not None}


def spec_name(model: type[BaseModel], key: str) -> str:
    """The spec name of a YAML key."""
    return _spec_names(model)[key]


@lru_cache(maxsize=256)
def _spec_names(model: type[BaseModel]) -> Mapping[str, str]:
    return {
        key: next((each.name for each in field.metadata if isinstance(each, SpecName)), key)
        for key, field in model.model_fields.items()
    }


def file_fields(model: type[BaseModel]) -> list[str]:
    """Keys whose values are paths of files."""
    fields = model.model_fields.items()
    return [key for key, field in fields if any(isinstance(m, FilePath) for m in field.metadata)]


def inner_model(model: type[BaseModel], key: Any) -> type[Settings] | None:
    """The model of a key that is a section of its own, like `network.router`; None for values."""
    annotation = model.model_fields[key].annotation
    if get_origin(annotation) is list:
        return None
    kinds = get_args(annotation) or (annotation,)
    return next((k for k in kinds if isinstance(k, type) and issubclass(k, Settings)), None)


@lru_cache(maxsize=256)
def key_names(model: type[BaseModel]) -> Mapping[str, str]:
    """Every key of a section, those of sections in it dotted, with its name in the spec."""
    found: dict[str, str] = {}
    for key in model.model_fields:
        inner = inner_model(model, key)
        if inner is None:
            found[key] = spec_name(model, key)
        else:
            for below, name in key_names(inner).items():
                found[f"{key}.{below}"] = f"{spec_name(model, key)}.{name}"
    return found


def section_of(key: str) -> tuple[str, str]:
    """The section of a point that holds a dotted key, and the key in it: `engine.flow` and `model`
    for `engine.flow.model`, `network` and `router.vc_buffer` for `network.router.vc_buffer`."""
    steps = key.split(".")
    count = 2 if steps[0] == "engine" and len(steps) > 2 else 1
    return ".".join(steps[:count]), ".".join(steps[count:])

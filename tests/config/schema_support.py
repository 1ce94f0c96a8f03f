"""JSON schemas as editors use them."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from weft.config.generate.schema import schemas


@cache
def _beside() -> Registry[Any]:
    """The files of `configs/schema`, by which a schema refers to another one beside it."""
    read = {name: Resource.from_contents(json.loads(text)) for name, text in schemas().items()}
    return Registry().with_resources(read.items())


@cache
def validator(schema: str) -> Any:
    """What checks files by the text of a schema, which is checked itself, once."""
    read = json.loads(schema)
    Draft202012Validator.check_schema(read)
    return Draft202012Validator(read, registry=_beside())

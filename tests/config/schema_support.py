"""JSON schemas as editors use them."""

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator


@cache
def validator(schema: str) -> Any:
    """What checks files by the text of a schema, which is checked itself, once."""
    read = json.loads(schema)
    Draft202012Validator.check_schema(read)
    return Draft202012Validator(read)

"""What a person may enter in a field, as one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from weft.config.generate.reference import bounds
from weft.service.forms.schemas import Schema, branches, words_of


class _Way(NamedTuple):
    """A way to fill the field in, and what that looks like."""

    words: str
    example: str


_SEVERAL = "several with commas"
_WHOLE = "a whole number"
_FOR_EACH = " for each name"
_NULL = _Way("null", "")


def entry(schema: Schema, default: str, group: str) -> str:
    """The sentence; `group` is the section whose chosen file fills the field if it stays empty."""
    ways = list(dict.fromkeys(_ways(schema)))
    if group:
        # What the section has stands there already, and null would take it away.
        ways = [way for way in ways if way != _NULL]
    examples = [] if default and len(ways) == 1 else [way.example for way in ways if way.example]
    shown = f", such as {_either(examples)}" if examples else ""
    if default:
        empty = f"the default is {default}"
    elif group:
        empty = f"leave it empty to keep that of the chosen {group}"
    else:
        empty = "the default is null" if _NULL in ways else "it may stay empty"
    words = [way.words for way in ways]
    # What one number may be need not be said again of several.
    words = [f"one{_FOR_EACH}" if w.removesuffix(_FOR_EACH) in words[:i] else w
             for i, w in enumerate(words)]  # fmt: skip
    return f"Enter {_either(words)}{shown}; {empty}."


def _either(words: Sequence[str]) -> str:
    *before, last = words
    return f"{', '.join(before)} or {last}" if before else last


def _ways(schema: Schema) -> Iterator[_Way]:
    leaves = [each for each in branches(schema) if not {"anyOf", "oneOf"} & set(each)]
    whole = [each for each in leaves if each.get("type") == "integer"]
    # The same key may have a range of its own in each topology or workload.
    widest = [min(whole, key=lambda each: cast("int", each.get("minimum", 0)))] if whole else []
    for each in [*widest, *(each for each in leaves if each not in whole)]:
        yield from _way(each)


def _way(schema: Schema) -> Iterator[_Way]:
    examples = cast("Sequence[str]", schema.get("examples", ()))
    properties = cast("Mapping[str, Schema]", schema.get("properties", {}))
    named = schema.get("additionalProperties")
    if examples:
        yield _Way("an amount with its unit", examples[0])
    elif words := words_of(schema) if schema.get("type") != "array" else []:
        yield from (_Way(word, "") for word in words)
    elif schema.get("type") == "array":
        yield from _several(cast("Schema", schema.get("items", {})))
    elif {"from", "to"} <= set(properties):
        yield from _range(properties["from"])
    elif isinstance(named, Mapping) and named.get("type") == "integer":
        yield _Way(f"{_WHOLE}{bounds(named)}{_FOR_EACH}", "{name: 10}")
    elif schema.get("type") == "null":
        yield _NULL
    elif schema.get("type") in ("integer", "number"):
        kind = _WHOLE if schema["type"] == "integer" else "a number"
        yield _Way(f"{kind}{bounds(schema)}", _number(schema))
    else:
        yield _Way("a text", "")


def _several(items: Schema) -> Iterator[_Way]:
    if "examples" in items:
        yield _Way(_SEVERAL, "")
    elif items.get("type") == "integer":
        yield _Way(f"whole numbers{bounds(items)} with commas", f"{_number(items)}, 4")
    elif items.get("type") == "string":
        yield _Way("texts with commas", "first, second")


def _range(begin: Schema) -> Iterator[_Way]:
    (least, *_) = cast("Sequence[str]", begin["examples"])
    number, _, unit = least.partition(" ")
    yield _Way("a range", f"{{from: {least}, to: {8 * int(number)} {unit}, factor: 2}}")


def _number(schema: Schema) -> str:
    if schema["type"] == "integer":
        return str(max(cast("int", schema.get("minimum", 1)), 1))
    return "0.5" if {"maximum", "exclusiveMaximum"} & set(schema) else "1.5"

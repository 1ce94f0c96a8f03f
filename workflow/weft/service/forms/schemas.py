"""What the models say of each key that a form may show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast

from weft.config.generate.schema import GROUP_MODELS, section
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.engine import declared_engines
from weft.config.model.experiment import POINT_GROUPS, ExperimentFile

Schema = Mapping[str, object]
_MEANINGS = "meanings"
#: A key in a text, and where a sentence follows; of several topologies each text has their names.
_NAMED = re.compile(r"`([^`]+)`")
_CLAUSES = re.compile(r";\s+")
_SENTENCES = re.compile(r"(?<=\.)\s+(?=[A-Z`]|[\w, ]+:)")


@cache
def schemas(configs: Path) -> dict[str, Schema]:
    """Every key of an experiment that is a value, dotted."""
    found: dict[str, Schema] = {
        key: {"description": f"The {key} that the experiment starts from."} for key in POINT_GROUPS
    }
    top = cast("Mapping[str, Schema]", ExperimentFile.model_json_schema()["properties"])
    found |= {key: value for key, value in top.items() if key not in (*GROUP_MODELS, "engine")}
    for group in POINT_GROUPS:
        found |= dict(_flat(group, section(GROUP_MODELS[group])))
    found |= {
        f"topology.{key}": {**found[f"topology.{key}"], _MEANINGS: texts}
        for key, texts in _of_topologies().items()
    }
    for name, engine in declared_engines(configs).items():
        found |= dict(_flat(f"engine.{name}", section([engine.model])))
    return found


def _of_topologies() -> dict[str, dict[str, list[str]]]:
    """What a key means where several topologies have it: each text with its topologies."""
    meant: dict[str, dict[str, list[str]]] = {}
    for entry in CATALOGUE.topologies:
        for key in entry.keys:
            meant.setdefault(key.name, {}).setdefault(key.meaning, []).append(entry.kind)
    return {key: by_text for key, by_text in meant.items() if len(by_text) > 1}


def _flat(prefix: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    for key, value in cast("Mapping[str, Schema]", schema["properties"]).items():
        if "properties" in value and value.get("additionalProperties") is False:
            yield from _flat(f"{prefix}.{key}", value)
        else:
            yield f"{prefix}.{key}", value


def is_list(schema: Schema) -> bool:
    """Whether it is always a list."""
    kinds = {str(each.get("type")) for each in branches(schema) if "type" in each}
    return "array" in kinds and kinds <= {"array", "null"}


def branches(schema: Schema) -> Iterator[Schema]:
    """The schema, and all that may stand in its place."""
    yield schema
    for several in ("anyOf", "oneOf"):
        for each in cast("list[Schema]", schema.get(several, [])):
            yield from branches(each)


def first(schema: Schema, key: str) -> object:
    """What the first branch that has it says under a word of the schema."""
    return next((each[key] for each in branches(schema) if key in each), None)


def meaning(schema: Schema, topologies: Collection[str]) -> str:
    """What it means for the kinds of topologies that a form offers, or for all if it names none.

    What its kind of value is, another sentence says.
    """
    if several := cast("Mapping[str, list[str]]", schema.get(_MEANINGS, {})):
        found = {text: [k for k in kinds if k in topologies] for text, kinds in several.items()}
        found = {text: kinds for text, kinds in found.items() if kinds} or {**several}
        if len(found) == 1:
            return next(iter(found))
        return " ".join(f"{', '.join(kinds)}: {text}" for text, kinds in found.items())
    said = (each for each in branches(schema) if each is schema or "examples" not in each)
    return next((str(each["description"]) for each in said if "description" in each), "")


def without(text: str, absent: Collection[str]) -> str:
    """A text without what it says of these keys, which whoever reads it does not see."""

    def names_none(part: str) -> bool:
        return not any(name.rpartition(".")[2] in absent for name in _NAMED.findall(part))

    kept = ("; ".join(filter(names_none, _CLAUSES.split(each))) for each in _SENTENCES.split(text))
    return " ".join(each if each.endswith(".") else f"{each}." for each in kept if each)


def has_examples(schema: Schema) -> bool:
    """Whether it is written in another way than it is stored, such as a quantity with its unit."""
    return first(schema, "examples") is not None


def words_of(schema: Schema) -> list[str]:
    """The words of a choice, unless something else may stand there, too."""
    if schema.get("type") == "boolean":
        return ["true", "false"]
    if schema.get("type") == "array":
        return words_of(cast("Schema", schema.get("items", {})))
    found: list[str] = []
    for each in branches(schema):
        if "const" in each:
            found.append(str(each["const"]))
        found += [str(word) for word in cast("list[object]", each.get("enum", []))]
        if "enum" not in each and each.get("type") in ("integer", "number"):
            return []
    return list(dict.fromkeys(found))

"""Reference of experiment files, and beside it the page of side tables.

`python -m weft.config.generate.reference FILE`
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from weft.config.generate.schema import CONFIGS
from weft.config.generate.side_tables import page
from weft.config.language.section import inner_model
from weft.config.model.answer import QUESTIONS
from weft.config.model.choice_by_size import Row
from weft.config.model.declaration import EngineFile, Option
from weft.config.model.engine import declared_engines
from weft.config.model.expectation import EXPECTATIONS
from weft.config.model.experiment import ExperimentFile
from weft.config.model.figures import FIGURES
from weft.config.model.machine import Machine
from weft.config.model.network import Network
from weft.config.model.report import Report
from weft.config.model.topology import TOPOLOGIES
from weft.config.model.workloads import WORKLOADS
from weft.files import replace_text

_NAMES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "null": "nothing",
    "object": "section",
}
#: Names of several such values.
_PLURALS = {"whole number": "whole numbers", "number": "numbers", "text": "texts",
            "section": "sections"}  # fmt: skip


def reference(configs_dir: Path = CONFIGS) -> str:
    """The whole document.

    Raises ConfigErrors when an engine of `configs_dir` is not declared well.
    """
    engines = {name: engine.model for name, engine in declared_engines(configs_dir).items()}
    intro = Path(__file__).with_suffix(".md").read_text()
    parts = [intro, "\n## Keys at the top\n", *_table(ExperimentFile, skip=())]
    sections: list[tuple[str, Mapping[str, type[BaseModel]], str]] = [
        ("topology", TOPOLOGIES, "kind: "),
        ("network", {"": Network, **_inner(Network)}, "network."),
        ("workload", WORKLOADS, "kind: "),
        ("engine", engines, "engine."),
        ("figures", FIGURES, ""),
        ("answer", QUESTIONS, ""),
        ("expect", EXPECTATIONS, ""),
        ("machine", {"": Machine}, ""),
        ("report", {"": Report}, ""),
    ]
    for name, models, prefix in sections:
        parts.append(f"\n## `{name}`\n")
        for key, model in models.items():
            parts += [f"\n### `{prefix}{key}`\n"] if key else []
            parts += [f"\n{cleandoc(model.__doc__ or '')}\n", *_table(model, skip=("kind",))]
    parts += ["\n## Tables of sizes\n", f"\n{cleandoc(Row.__doc__ or '')}\n", *_table(Row, skip=())]
    parts += ["\n## Declarations of engines\n", f"\n{EngineFile.__doc__}\n"]
    parts += [*_table(EngineFile, skip=()), "\n### `options.<name>`\n", f"\n{Option.__doc__}\n"]
    return "".join([*parts, *_table(Option, skip=())])


def _inner(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Keys that are sections of their own, with their models."""
    found = {key: inner_model(model, key) for key in model.model_fields}
    return {key: inner for key, inner in found.items() if inner is not None}


def _table(model: type[BaseModel], skip: Iterable[str]) -> Iterator[str]:
    schema = model.model_json_schema()
    yield "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n"
    for key, field in schema["properties"].items():
        if key not in skip:
            needed = key in schema.get("required", ())
            default = "required" if needed else _default(field)
            meaning = " ".join(field.get("description", "").split())
            yield f"| `{key}` | {kind(field)} | {default} | {meaning} |\n"


def _default(field: Mapping[str, object]) -> str:
    value = field.get("default")
    # A quantity defaults to a number in SI units, which no file may hold: its meaning gives it.
    if value in (None, [], {}) or ("examples" in field and not isinstance(value, str)):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def kind(field: Mapping[str, Any]) -> str:
    """What a value of a schema may be, in words, with its bounds."""
    if "examples" in field:
        return f"like `{field['examples'][0]}`"
    if "$ref" in field:
        return "section"
    if "const" in field or "enum" in field:
        return ", ".join(f"`{value}`" for value in field.get("enum", [field.get("const")]))
    if branches := field.get("anyOf", field.get("oneOf")):
        return _either(kind(branch) for branch in branches if branch.get("type") != "null")
    if field.get("type") == "array":
        return f"list of {_several(kind(field.get('items', {})))}"
    named = field.get("additionalProperties")
    if isinstance(named, Mapping) and named.get("type") == "integer":
        return f"section of names, each with a {kind(named)}"
    if {"from", "to"} <= set(field.get("properties", ())):
        return "range"
    return _NAMES.get(str(field.get("type")), "any value") + bounds(field)


def _either(of_branches: Iterable[str]) -> str:
    kinds = list(dict.fromkeys(of_branches))
    lists = {f"list of {_several(each)}": "list of these" for each in kinds}
    *before, last = (lists.get(each, each) for each in kinds)
    return f"{', '.join(before)} or {last}" if before else last


def _several(kind_: str) -> str:
    """A kind of value where there are several of it."""
    first, rest = next(((n, kind_[len(n) :]) for n in _PLURALS if kind_.startswith(n)), ("", kind_))
    return _PLURALS.get(first, "") + rest


def bounds(field: Mapping[str, object]) -> str:
    """What limits a number, as it follows the name of its kind."""
    if {"minimum", "maximum"} <= set(field):
        return f" from {_number(field['minimum'])} to {_number(field['maximum'])}"
    words = {"minimum": "of at least", "exclusiveMinimum": "above", "maximum": "at most",
             "exclusiveMaximum": "below"}  # fmt: skip
    limits = [f"{word} {_number(field[key])}" for key, word in words.items() if key in field]
    return f" {' and '.join(limits)}" if limits else ""


def _number(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    replace_text(file, reference())
    replace_text(file.with_name("side-tables.md"), page())

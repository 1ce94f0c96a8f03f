"""JSON schemas for editors, generated from the models.

`python -m weft.config.generate.schema DIR`
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel

from weft.config.language.section import inner_model
from weft.config.model.answer import QUESTIONS
from weft.config.model.choice_by_size import Row
from weft.config.model.costs import Piece
from weft.config.model.declaration import EngineFile
from weft.config.model.engine import Engines, declared_engines
from weft.config.model.expectation import EXPECTATIONS
from weft.config.model.experiment import GROUPS, POINT_GROUPS, ExperimentFile, fields_of
from weft.config.model.figures import FIGURES
from weft.config.model.jobs import JobEntry
from weft.config.model.links import LinkEntry
from weft.config.model.machine import Machine
from weft.config.model.network import Network, StoredCalibration
from weft.config.model.program_files import ProgramFiles
from weft.config.model.report import Report
from weft.config.model.topology import TOPOLOGIES
from weft.config.model.workloads import WORKLOADS
from weft.files import replace_text
from weft.files.layout import CLONE, Layout

CONFIGS = Layout(CLONE).configs
#: Models of each group; several where a key chooses one.
GROUP_MODELS: dict[str, list[type[BaseModel]]] = {
    "topology": list(TOPOLOGIES.values()),
    "network": [Network],
    "workload": list(WORKLOADS.values()),
    "machine": [Machine],
    "report": [Report],
}
#: Models of the entries of lists that sections hold, and of sections in place of a text.
LIST_ENTRIES: tuple[type[BaseModel], ...] = (
    JobEntry,
    LinkEntry,
    Piece,
    ProgramFiles,
    Row,
    StoredCalibration,
)
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_SCALAR: dict[str, object] = {"type": ["string", "number", "boolean"]}
_RANGE: dict[str, object] = {
    "type": "object",
    "properties": {key: {"type": ["number", "string"]} for key in ("from", "to", "step", "factor")},
    "required": ["from", "to"],
    "additionalProperties": False,
}
_LIST: dict[str, object] = {"type": "array", "minItems": 1}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


_WHEN: dict[str, object] = {
    "type": "object",
    "properties": {"when": {"type": "string"}, "values": {"anyOf": [_LIST, _ref("range")]}},
    "required": ["values"],
    "additionalProperties": False,
}
#: What the keys of a sweep may have, each said once for all of them.
_SWEEP_DEFS: dict[str, object] = {
    "range": _RANGE,
    "axis": {"anyOf": [_LIST, _ref("range"), _WHEN]},
    "group_axis": {"anyOf": [_LIST, _ref("range"), _WHEN, {"type": "object"}]},
    "match": {"anyOf": [_SCALAR, _LIST, _ref("range")]},
}


def section(models: Iterable[type[BaseModel]]) -> dict[str, Any]:
    """Schema of a section: the keys of all its models, none required, because groups give some."""
    properties: dict[str, Any] = {}
    for model in models:
        for key, schema in model.model_json_schema()["properties"].items():
            schema.pop("title", None)
            if inner := inner_model(model, key):
                schema = section([inner]) | {"description": schema["description"]}
            properties[key] = _either(properties.get(key), schema)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _either(known: Mapping[str, Any] | None, schema: dict[str, object]) -> dict[str, object]:
    if known is None or known == schema:
        return schema
    branches = [dict(each) for each in known.get("anyOf", [known])]
    return {"anyOf": branches + ([schema] if schema not in branches else [])}


def schema_file(name: str) -> str:
    """The file of a schema; the schema of experiments refers to those of groups beside it."""
    return f"{name}.schema.json"


def experiment_schema(engines: Engines) -> dict[str, object]:
    """Schema of files in `configs/experiment/`."""
    schema = ExperimentFile.model_json_schema()
    properties = schema["properties"]
    for name in GROUP_MODELS:
        properties[name] = {"$ref": schema_file(name)}
    properties["engine"], options = _options(engines)
    properties["engines"]["items"] = {"enum": sorted(engines)}
    properties["sweep"] = _sweep(engines)
    figure, fields = _figure()
    properties["figures"] = {"type": "array", "items": figure}
    defs = {**schema.get("$defs", {}), **_SWEEP_DEFS, **fields, **_question()}
    defs |= options
    one = _ref("question")
    either = {"anyOf": [one, {"type": "array", "items": one}]}
    properties["answer"] = {**either, "description": properties["answer"]["description"]}
    statements, shared = _statement()
    defs |= shared
    properties["expect"] |= {"items": statements}
    properties["defaults"] = _defaults([f"override /{group}" for group in GROUPS])
    return {
        "$schema": _DRAFT,
        **schema,
        "$defs": defs,
        "title": "weft experiment",
        "properties": properties,
    }


def _options(engines: Engines) -> tuple[dict[str, object], dict[str, object]]:
    """Schema of the section `engine`, and what several engines say alike, for `$defs`."""
    sections = {name: section([each.model]) for name, each in engines.items()}
    shared = _said_once(sections, "option")
    return {"type": "object", "properties": sections, "additionalProperties": False}, shared


def _said_once(sections: Mapping[str, dict[str, Any]], what: str) -> dict[str, object]:
    """Keys that several sections have alike, for `$defs` by `what`; the sections refer to them."""
    shared: dict[str, object] = {}
    keys = [each["properties"] for each in sections.values()]
    for key in dict.fromkeys(key for each in keys for key in each):
        said = [each[key] for each in keys if key in each]
        usual = max(said, key=said.count)
        if said.count(usual) > 1:
            shared[f"{what}.{key}"] = usual
            for each in keys:
                if each.get(key) == usual:
                    each[key] = _ref(f"{what}.{key}")
    return shared


def _sweep(engines: Engines) -> dict[str, object]:
    keys = [f"engine.{n}.{key}" for n, each in engines.items() for key in fields_of(each.model)]
    for group in POINT_GROUPS:
        fields = [field for model in GROUP_MODELS[group] for field in fields_of(model)]
        keys += [f"{group}.{field}" for field in dict.fromkeys(fields)]
    axes: dict[str, object] = {key: _ref("axis") for key in keys}
    axes |= {group: _ref("group_axis") for group in GROUPS}
    names = {"enum": sorted((*keys, *GROUPS, "engine"))}
    match = {"type": "object", "propertyNames": names, "additionalProperties": _ref("match")}
    axes["zip"] = {"type": "array", "items": {"type": "object"}}
    axes["exclude"] = {"type": "array", "items": match}
    return {"type": "object", "properties": axes, "additionalProperties": False}


def _figure() -> tuple[dict[str, object], dict[str, object]]:
    """Schema of a figure, and the keys that marks have in common, by their names in `$defs`."""
    marks = {
        mark: section([model]) | {"required": model.model_json_schema().get("required", [])}
        for mark, model in FIGURES.items()
    }
    common = _said_once(marks, "figure")
    return {"type": "object", **_one_of(marks)}, common


def _question() -> dict[str, object]:
    """Schema of a question, as `question`, and the keys that questions have in common."""
    fields = {kind: section([model]) for kind, model in QUESTIONS.items()}
    common = _said_once(fields, "question")
    one = {"type": "object", **_one_of(fields)}
    return {"question": {"anyOf": [{"enum": sorted(fields)}, one]}, **common}


def _statement() -> tuple[dict[str, object], dict[str, object]]:
    """Schema of an entry of `expect`, and the keys that its kinds have in common, for `$defs`."""
    kinds = {
        kind: section([model]) | {"required": model.model_json_schema()["required"]}
        for kind, model in EXPECTATIONS.items()
    }
    common = _said_once(kinds, "statement")
    return {"anyOf": [*kinds.values()]}, common


def _one_of(properties: Mapping[str, object]) -> dict[str, object]:
    """An object with one of these keys."""
    one = {"minProperties": 1, "maxProperties": 1}
    return {"properties": properties, "additionalProperties": False, **one}


def _defaults(keys: Iterable[str]) -> dict[str, object]:
    entry = {"type": "object", "properties": {key: {"type": "string"} for key in keys}}
    return {"type": "array", "items": {"anyOf": [{"const": "_self_"}, entry]}}


def _engine_file() -> dict[str, object]:
    """Schema of files in `configs/engine/`; crates of weft say in code what they answer."""
    schema = EngineFile.model_json_schema()
    schema["required"].remove("answers")
    crate = {"properties": {"program": {"const": "crate"}}}
    needed = {"if": crate, "then": {}, "else": {"required": ["answers"]}}
    return {"$schema": _DRAFT, **schema, **needed, "title": "weft engine"}


def config_schema() -> dict[str, object]:
    """Schema of `configs/config.yaml`."""
    names = {"type": "array", "items": {"type": "string"}}
    most = {"type": "integer", "minimum": 1}
    properties = {"defaults": _defaults(()), "experiments": names, "max_points": most}
    return {
        "$schema": _DRAFT,
        "title": "weft config",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def schemas(configs_dir: Path = CONFIGS) -> dict[str, str]:
    """File names with their texts.

    Raises ConfigErrors when an engine of `configs_dir` is not declared well.
    """
    engines = declared_engines(configs_dir)
    found = {"experiment": experiment_schema(engines), "config": config_schema()}
    found["engine"] = _engine_file()
    for name, models in GROUP_MODELS.items():
        found[name] = {"$schema": _DRAFT, "title": f"weft {name}", **section(models)}
    return {
        schema_file(name): json.dumps(_whole(schema), indent=2, sort_keys=True) + "\n"
        for name, schema in found.items()
    }


def _whole(schema: dict[str, object]) -> dict[str, object]:
    """The schema with the entries of lists to which it refers."""
    text = json.dumps(schema)
    entries = {
        model.__name__: model.model_json_schema()
        for model in LIST_ENTRIES
        if json.dumps(_ref(model.__name__)) in text
    }
    known = cast("dict[str, object]", schema.get("$defs", {}))
    for entry in entries.values():
        # References count from the whole file, so what an entry refers to stands beside it.
        known = known | cast("dict[str, object]", entry.pop("$defs", {}))
    return {**schema, "$defs": known | entries} if entries else schema


def main(folder: Path) -> None:
    """Write all schemas into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schemas(folder.resolve().parent).items():
        replace_text(folder / name, text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""JSON schemas for editors, generated from the models.

`python -m weft.config.generate.schema DIR`
"""

from __future__ import annotations

import json
import sys
from collections import Counter
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
from weft.config.model.experiment import GROUPS, POINT_GROUPS, ExperimentFile, fields_of
from weft.config.model.figures import FIGURES
from weft.config.model.links import LinkEntry
from weft.config.model.machine import Machine
from weft.config.model.network import Network, StoredCalibration
from weft.config.model.report import Report
from weft.config.model.topology import TOPOLOGIES
from weft.config.model.workload import WORKLOADS
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
LIST_ENTRIES: tuple[type[BaseModel], ...] = (LinkEntry, Piece, Row, StoredCalibration)
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


def section(models: Iterable[type[BaseModel]]) -> dict[str, object]:
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


def experiment_schema(engines: Engines) -> dict[str, object]:
    """Schema of files in `configs/experiment/`."""
    schema = ExperimentFile.model_json_schema()
    properties = schema["properties"]
    for name, models in GROUP_MODELS.items():
        properties[name] = section(models)
    properties["engine"], options = _options(engines)
    properties["engines"]["items"] = {"enum": sorted(engines)}
    properties["sweep"] = _sweep(engines)
    figure, fields = _figure()
    properties["figures"] = {"type": "array", "items": figure}
    defs = {**schema.get("$defs", {}), **_SWEEP_DEFS, **fields, "question": _question()}
    defs |= options
    one = _ref("question")
    either = {"anyOf": [one, {"type": "array", "items": one}]}
    properties["answer"] = {**either, "description": properties["answer"]["description"]}
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
    sections: dict[str, Any] = {name: section([each.model]) for name, each in engines.items()}
    shared: dict[str, object] = {}
    for key in dict.fromkeys(key for each in sections.values() for key in each["properties"]):
        said = [each["properties"][key] for each in sections.values() if key in each["properties"]]
        usual = max(said, key=said.count)
        if said.count(usual) > 1:
            shared[f"option.{key}"] = usual
            for each in sections.values():
                if each["properties"].get(key) == usual:
                    each["properties"][key] = _ref(f"option.{key}")
    return {"type": "object", "properties": sections, "additionalProperties": False}, shared


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
    marks: dict[str, dict[str, Any]] = {}
    for mark, model in FIGURES.items():
        marks[mark] = section([model]) | {"required": model.model_json_schema().get("required", [])}
    keys = [(key, schema) for each in marks.values() for key, schema in each["properties"].items()]
    counted = Counter((key, json.dumps(schema, sort_keys=True)) for key, schema in keys)
    common: dict[str, object] = {}
    for each in marks.values():
        for key, schema in each["properties"].items():
            if counted[key, json.dumps(schema, sort_keys=True)] == len(marks):
                common[f"figure.{key}"] = schema
                each["properties"][key] = _ref(f"figure.{key}")
    one_mark = {"minProperties": 1, "maxProperties": 1}
    figure = {"type": "object", "properties": marks, "additionalProperties": False, **one_mark}
    return figure, common


def _question() -> dict[str, object]:
    fields = {kind: section([model]) for kind, model in QUESTIONS.items()}
    one = {"type": "object", "properties": fields, "additionalProperties": False}
    return {"anyOf": [{"enum": sorted(fields)}, {**one, "minProperties": 1, "maxProperties": 1}]}


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
        f"{name}.schema.json": json.dumps(_whole(schema), indent=2, sort_keys=True) + "\n"
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
    return {**schema, "$defs": known | entries} if entries else schema


def main(folder: Path) -> None:
    """Write all schemas into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schemas(folder.resolve().parent).items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

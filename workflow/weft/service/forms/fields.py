"""Fields of a form: what the models say of each key that a template shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from weft.config.compose.composition import group_choices
from weft.config.generate.reference import kind
from weft.config.generate.schema import GROUP_MODELS, section
from weft.config.language.errors import Problem, unknown
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.engine import declared_engines
from weft.config.model.experiment import POINT_GROUPS, ExperimentFile
from weft.service.forms.template import GROUPS, ShownKey, Template, read_template, wrong_keys

Schema = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FormField:
    """One field: its key, what it means, what may stand in it, and what stands in it at first."""

    key: str
    label: str
    help: str
    allowed: str
    default: str
    choices: tuple[str, ...]
    shown: ShownKey

    @property
    def only_file(self) -> bool:
        """Whether nothing but a file may stand in it."""
        return self.shown.own is not None and not self.choices

    @property
    def initial(self) -> list[str]:
        """What is filled in at first, or chosen; several only of a field that takes several."""
        if self.shown.several and isinstance(self.shown.default, list):
            return [written(each) for each in self.shown.default]
        return [self.default] if self.default else []

    @property
    def file_name(self) -> str:
        """The name under which a browser sends the file in its place."""
        return f"{self.key}.own"

    @property
    def endings(self) -> str:
        """Endings of files that may stand in its place."""
        return ",".join(self.shown.own.endings) if self.shown.own else ""


@dataclass(frozen=True, slots=True)
class Form:
    """A template with all that the models know of its keys."""

    name: str
    template: Template
    groups: Mapping[str, tuple[FormField, ...]]

    def fields(self) -> list[FormField]:
        """All fields in order."""
        return [field for group in self.groups.values() for field in group]


def read_form(configs: Path, name: str, folder: Path | None = None) -> Form:
    """The form of a template in `folder`, which is `configs/service` unless given.

    Raises ConfigErrors for a template with a mistake.
    """
    folder = folder or configs / "service"
    template = read_template(folder, name)
    known = _schemas(configs)
    found: list[Problem] = []
    named = {entry.key for entries in template.groups().values() for entry in entries}
    groups: dict[str, tuple[FormField, ...]] = {}
    for group, entries in template.groups().items():
        fields: dict[str, FormField] = {}
        for i, entry in enumerate(entries):
            keys = _keys(entry.key, known)
            if not keys:
                place = f"{group}[{i}].key"
                # All keys are hundreds: those of the same section say enough.
                beside = f"{entry.key.rpartition('.')[0]}."
                near = [each for each in known if each.startswith(beside)] or list(POINT_GROUPS)
                found.append(Problem(place, unknown("key", entry.key, near)))
            for key in keys:
                # A key with an entry of its own keeps it beside a star.
                if key == entry.key or key not in named:
                    fields[key] = _field(key, known[key], entry, configs)
        groups[group] = tuple(fields.values())
    if found:
        raise wrong_keys(folder, name, found)
    return Form(name, template, {group: groups[group] for group in GROUPS})


def _keys(written: str, known: Mapping[str, Schema]) -> list[str]:
    if not written.endswith(".*"):
        return [written] if written in known else []
    return [
        key for key in known if key.startswith(written[:-1]) and not key.endswith("shard_points")
    ]


def _schemas(configs: Path) -> dict[str, Schema]:
    """Every key of an experiment that is a value, dotted."""
    found: dict[str, Schema] = {
        key: {"description": f"The {key} that the experiment starts from."} for key in POINT_GROUPS
    }
    top = cast("Mapping[str, Schema]", ExperimentFile.model_json_schema()["properties"])
    found |= {key: value for key, value in top.items() if key not in (*GROUP_MODELS, "engine")}
    for group in POINT_GROUPS:
        found |= dict(_flat(group, section(GROUP_MODELS[group])))
    found |= {
        f"topology.{key}": {**found[f"topology.{key}"], "description": text}
        for key, text in _of_topologies().items()
    }
    for name, engine in declared_engines(configs).items():
        found |= dict(_flat(f"engine.{name}", section([engine.model])))
    return found


def _of_topologies() -> dict[str, str]:
    """What a key means where several topologies have it, for each of them."""
    meant: dict[str, dict[str, list[str]]] = {}
    for entry in CATALOGUE.topologies:
        for key in entry.keys:
            meant.setdefault(key.name, {}).setdefault(key.meaning, []).append(entry.kind)
    return {
        key: " ".join(f"{', '.join(kinds)}: {text}" for text, kinds in by_text.items())
        for key, by_text in meant.items()
        if len(by_text) > 1
    }


def _flat(prefix: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    for key, value in cast("Mapping[str, Schema]", schema["properties"]).items():
        if "properties" in value and value.get("additionalProperties") is False:
            yield from _flat(f"{prefix}.{key}", value)
        else:
            yield f"{prefix}.{key}", value


def _field(key: str, schema: Schema, entry: ShownKey, configs: Path) -> FormField:
    choices = tuple(entry.choices or ())
    if key in POINT_GROUPS and not choices:
        choices = tuple(group_choices([configs], key))
    choices = choices or tuple(_words(schema))
    default = entry.default if entry.default is not None else schema.get("default")
    # A quantity defaults to a number in SI units, which no file may hold: the help says it.
    hidden = isinstance(default, float) and _examples(schema)
    return FormField(
        key=key,
        label=key.rpartition(".")[2].replace("_", " ").capitalize(),
        help=" ".join(str(_first(schema, "description") or "").split()),
        allowed="" if choices or key == "figures" else _kinds(schema),
        default="" if default in (None, [], {}) or hidden else written(default),
        choices=choices,
        shown=entry,
    )


def _kinds(schema: Schema) -> str:
    """Each kind of value once, as a page shows it."""
    return " or ".join(dict.fromkeys(kind(schema).replace("`", "").split(" or ")))


def written(value: object) -> str:
    """A value as a person writes it in a field."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(written, value))
    return str(value)


def _branches(schema: Schema) -> Iterator[Schema]:
    yield schema
    for several in ("anyOf", "oneOf"):
        for each in cast("list[Schema]", schema.get(several, [])):
            yield from _branches(each)


def _first(schema: Schema, key: str) -> object:
    return next((each[key] for each in _branches(schema) if key in each), None)


def _examples(schema: Schema) -> bool:
    return _first(schema, "examples") is not None


def _words(schema: Schema) -> list[str]:
    """The words of a choice, unless something else may stand there, too."""
    if schema.get("type") == "boolean":
        return ["true", "false"]
    if schema.get("type") == "array":
        return _words(cast("Schema", schema.get("items", {})))
    found: list[str] = []
    for each in _branches(schema):
        if "const" in each:
            found.append(str(each["const"]))
        found += [str(word) for word in cast("list[object]", each.get("enum", []))]
        if "enum" not in each and each.get("type") in ("integer", "number"):
            return []
    return list(dict.fromkeys(found))

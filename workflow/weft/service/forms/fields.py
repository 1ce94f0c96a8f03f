"""Fields of a form: what the models say of each key that a template shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel

from weft.config.compose.composition import group_choices
from weft.config.language.errors import Problem, unknown
from weft.config.model.experiment import POINT_GROUPS
from weft.config.model.program_files import ProgramFiles
from weft.config.model.topology import TOPOLOGIES
from weft.config.model.workloads import WORKLOADS
from weft.service.forms.entries import entry
from weft.service.forms.schemas import (
    Schema,
    has_examples,
    is_list,
    meaning,
    schemas,
    without,
    words_of,
)
from weft.service.forms.template import GROUPS, ShownKey, Template, read_template, wrong_keys

#: Groups whose choices have different keys, with the models by kind.
_MODELS: Mapping[str, Mapping[str, type[BaseModel]]] = {
    "topology": TOPOLOGIES, "workload": WORKLOADS,
}  # fmt: skip
#: How the name of a file in place of a field ends.
FILE = ".own"
#: How the name of the text beside such a file ends.
MAKES = ".makes"


@dataclass(frozen=True, slots=True)
class FormField:
    """One field: its key, what it means, what may stand in it, and what stands in it at first."""

    key: str
    label: str
    help: str
    #: What may be entered, as a sentence; empty where one chooses.
    entry: str
    default: str
    choices: tuple[str, ...]
    shown: ShownKey
    #: Whether it stands among the settings that few people change.
    more: bool = False
    #: Whether it always holds a list, so that one value alone is one, too.
    lists: bool = False
    #: Choices of the group's own key that have this key; none where all have it.
    only_with: tuple[str, ...] = ()

    @property
    def group_key(self) -> str:
        """The key whose choice decides whether this one is there."""
        return self.key.partition(".")[0]

    @property
    def for_whom(self) -> str:
        """Which choices it belongs to, unless the help says it of each."""
        said = any(f"{name}:" in self.help for name in self.only_with)
        names = ", ".join(self.only_with)
        return f"Only for the {self.group_key} {names}." if names and not said else ""

    @property
    def only_file(self) -> bool:
        """Whether nothing but a file may stand in it."""
        return self.shown.own is not None and not self.choices

    @property
    def file_label(self) -> str:
        """What the page calls the file in its place."""
        own = self.shown.own
        return (own and own.label) or f"Own {self.label.lower()}"

    @property
    def file_help(self) -> str:
        """What the file holds."""
        own = self.shown.own
        return (own and own.help) or self.help

    @property
    def initial(self) -> list[str]:
        """What is filled in at first, or chosen; several only of a field that takes several."""
        if self.shown.several and isinstance(self.shown.default, list):
            return [written(each) for each in self.shown.default]
        return [self.default] if self.default else []

    @property
    def file_name(self) -> str:
        """The name under which a browser sends the file in its place."""
        return f"{self.key}{FILE}"

    @property
    def makes_name(self) -> str:
        """The name under which it sends what the Makefile in that file makes."""
        return f"{self.key}{MAKES}"

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
    known = schemas(configs)
    found: list[Problem] = []
    named = {entry.key for entries in template.groups().values() for entry in entries}
    groups: dict[str, tuple[FormField, ...]] = {}
    topologies = _topologies(template, configs)
    absent = (_steps(known) | {*ProgramFiles.model_fields}) - _steps(
        key
        for entries in template.groups().values()
        for each in entries
        for key in _keys(each, known)
    )
    for group, entries in template.groups().items():
        fields: dict[str, FormField] = {}
        for i, shown in enumerate(entries):
            keys = _keys(shown, known)
            if not keys:
                place = f"{group}[{i}].key"
                # All keys are hundreds: those of the same section say enough.
                beside = f"{shown.key.rpartition('.')[0]}."
                near = [each for each in known if each.startswith(beside)] or list(POINT_GROUPS)
                found.append(Problem(place, unknown("key", shown.key, near)))
            for key in keys:
                # A key with an entry of its own keeps it beside a star.
                if key == shown.key or key not in named:
                    schema = known.get(key, {})
                    said = without(meaning(schema, topologies), absent)
                    fields[key] = _field(key, schema, shown, configs, said)
        groups[group] = tuple(fields.values())
    if found:
        raise wrong_keys(folder, name, found)
    groups = _without_those_of_files(groups)
    offered = {f.key: f.choices for fields_ in groups.values() for f in fields_ if f.choices}
    return Form(
        name,
        template,
        {group: tuple(_offered(f, offered) for f in groups[group]) for group in GROUPS},
    )


def _without_those_of_files(
    groups: Mapping[str, tuple[FormField, ...]],
) -> dict[str, tuple[FormField, ...]]:
    """Choices that mean nothing without a file come with the file alone."""
    taken = {
        (key, word)
        for fields in groups.values()
        for each in fields
        if each.shown.own
        for key, word in each.shown.own.sets.items()
    }

    def left(each: FormField) -> FormField:
        return replace(each, choices=tuple(w for w in each.choices if (each.key, w) not in taken))

    return {group: tuple(map(left, fields)) for group, fields in groups.items()}


def _offered(each: FormField, choices: Mapping[str, tuple[str, ...]]) -> FormField:
    """The field with those choices alone that the form offers; none where all of them have it."""
    there = choices.get(each.group_key, each.only_with)
    found = tuple(name for name in each.only_with if name in there)
    return replace(each, only_with=() if len(found) == len(there) else found)


def _keys(shown: ShownKey, known: Mapping[str, Schema]) -> list[str]:
    written = shown.key
    if not written.endswith(".*"):
        # A file with settings may fill a whole section.
        filled = shown.own is not None and shown.own.settings
        section_there = filled and any(key.startswith(f"{written}.") for key in known)
        return [written] if written in known or section_there else []
    return [
        key for key in known if key.startswith(written[:-1]) and not key.endswith("shard_points")
    ]


def _steps(keys: Iterable[str]) -> frozenset[str]:
    """The names that dotted keys are made of."""
    return frozenset(step for key in keys for step in key.split("."))


def _topologies(template: Template, configs: Path) -> frozenset[str]:
    """Kinds of the topologies that a form offers."""
    shown = (each for each in template.interconnect if each.key == "topology" and each.choices)
    names = next((each.choices for each in shown), None) or group_choices([configs], "topology")
    return frozenset(_kind(configs, "topology", name) for name in names)


def _field(key: str, schema: Schema, shown: ShownKey, configs: Path, meant: str) -> FormField:
    choices = tuple(shown.choices or ())
    if key in POINT_GROUPS and not choices:
        choices = tuple(group_choices([configs], key))
    choices = choices or tuple(words_of(schema))
    default = shown.default
    # What is chosen for a group has values of its own, in place of those of the model.
    group = key.partition(".")[0] if key.partition(".")[0] in POINT_GROUPS else ""
    if default is None and not group:
        default = schema.get("default")
    # A quantity defaults to a number in SI units, which no file may hold: the help says it.
    hidden = isinstance(default, float) and has_examples(schema)
    label = shown.label or key.rpartition(".")[2].replace("_", " ").capitalize()
    said = "" if default in (None, [], {}) or hidden else written(default)
    return FormField(
        key=key,
        label=label,
        help=_help(label, shown.help, meant),
        entry="" if choices or not schema else entry(schema, said, group),
        default=said,
        choices=choices,
        shown=shown,
        lists=is_list(schema),
        only_with=_only_with(key, configs),
        more=shown.more or shown.key.endswith(".*"),
    )


def _only_with(key: str, configs: Path) -> tuple[str, ...]:
    group, _, rest = key.partition(".")
    if group not in _MODELS or not rest:
        return ()
    has = _keys_of_choices(configs, group)
    found = tuple(name for name, keys in has.items() if rest.partition(".")[0] in keys)
    return () if len(found) == len(has) else found


@cache
def _keys_of_choices(configs: Path, group: str) -> dict[str, frozenset[str]]:
    """Keys that a group's choices have, by the choice."""
    found = {}
    for choice in group_choices([configs], group):
        if model := _MODELS[group].get(_kind(configs, group, choice)):
            found[choice] = frozenset(model.model_fields)
    return found


def _kind(configs: Path, group: str, choice: str) -> str:
    """The kind that the file of a group's choice names."""
    path = configs / group / f"{choice}.yaml"
    return str(yaml.safe_load(path.read_text()).get("kind")) if path.is_file() else ""


def _help(label: str, *texts: str) -> str:
    """Texts as sentences of plain words, without the marks of code; the label says enough alone."""
    found = [" ".join(text.replace("`", "").split()).rstrip(".") for text in texts]
    return " ".join(f"{_begun(text)}." for text in found if text not in ("", label))


def _begun(text: str) -> str:
    """A text as the begin of a sentence; names stay as they are."""
    first_word = text.split()[0]
    return text[0].upper() + text[1:] if first_word.isalpha() and first_word != "weft" else text


def written(value: object) -> str:
    """A value as a person writes it in a field."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(written, value))
    return str(value)

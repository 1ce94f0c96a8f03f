"""What a person put into a form, as one experiment file and the files that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import yaml

from weft.config.model.experiment import POINT_GROUPS
from weft.service.forms.fields import FILE, Form, FormField
from weft.service.forms.program import program_of
from weft.service.forms.template import Own
from weft.service.project import UPLOADS
from weft.service.tasks.check import Mistake
from weft.service.tasks.plain_yaml import yaml_problem

#: Of a field; a longer text belongs into a file.
_LONGEST = 2000
#: Of a file with settings, in bytes.
_MOST_SETTINGS = 100_000
_UNUSUAL = re.compile(r"[^A-Za-z0-9_./-]")
READY, OWN = "ready", "own"
Upload = tuple[str, bytes]
Uploads = Mapping[str, Sequence[Upload]]


@dataclass
class Filled:
    """An experiment made of a form; `mistakes` are those that no file could hold."""

    experiment_yaml: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    #: Where mistakes about a key stand if its value came with a file.
    places: dict[str, str] = field(default_factory=dict)


def mode_name(group: str) -> str:
    """The name under which a browser sends whether a group is ready-made or own."""
    return f"mode.{group}"


def filled(form: Form, posted: Mapping[str, Sequence[str]], uploads: Uploads) -> Filled:
    """The experiment of posted values; `uploads` hold names and contents by the field's key.

    Files of a group that is ready-made do not count.
    """
    found = Filled()
    values: dict[str, object] = {}
    for each in form.fields():
        if each.only_file:
            continue
        texts = [text for text in posted.get(each.key, ()) if text.strip()]
        if sum(map(len, texts)) > _LONGEST:
            found.mistakes.append(Mistake(each.key, f"at most {_LONGEST:,} characters"))
        elif texts and not _says_nothing(form, each, texts):
            values[each.key] = _value(each, texts)
    _add_needs(form, posted, values)
    _leave_out_strange(form, posted, values)
    taken: list[tuple[FormField, Sequence[FormField]]] = []
    for group, fields in form.groups.items():
        mode = next(iter(posted.get(mode_name(group), ())), "")
        own = [each for each in fields if uploads.get(each.key) and mode != READY]
        taken += [(each, fields) for each in own]
        if mode == OWN and not own:
            _ask_for_a_file(fields, found)
    # Settings come first: they must not undo what another file sets.
    taken.sort(key=lambda pair: not (pair[0].shown.own and pair[0].shown.own.settings))
    for each, beside in taken:
        makes = next(iter(posted.get(each.makes_name, ())), "").strip()
        _take(each, beside, uploads[each.key], values, found, makes)
    found.experiment_yaml = yaml.dump(
        _experiment(form.template.experiment, values),
        Dumper=_Plain,
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )
    return found


def _add_needs(form: Form, posted: Mapping[str, Sequence[str]], values: dict[str, object]) -> None:
    for each in form.fields():
        for text in posted.get(each.key, ()):
            for key, words in each.shown.needs.get(text, {}).items():
                listed = values.get(key)
                before = listed if isinstance(listed, list) else []
                values[key] = list(dict.fromkeys([*before, *words]))


def _leave_out_strange(
    form: Form, posted: Mapping[str, Sequence[str]], values: dict[str, object]
) -> None:
    """What the form itself wrote for another topology or workload than the chosen one."""
    for each in form.fields():
        chosen = values.get(each.group_key)
        untouched = list(posted.get(each.key, ())) == each.initial
        if each.only_with and chosen not in each.only_with and untouched:
            values.pop(each.key, None)


def _says_nothing(form: Form, each: FormField, texts: list[str]) -> bool:
    """Whether an engine does so anyway: the experiment stays short enough to be read."""
    if not each.key.startswith("engine.") or each.shown.default is not None:
        return False
    fixed: object = form.template.experiment
    for step in each.key.split("."):
        fixed = fixed.get(step) if isinstance(fixed, Mapping) else None
    return fixed is None and texts == [each.default]


def _ask_for_a_file(fields: Sequence[FormField], found: Filled) -> None:
    first = next((each for each in fields if each.shown.own), None)
    if first is not None:
        found.places[first.key] = first.file_name
        found.mistakes.append(Mistake(first.key, "choose a file, or choose 'ready-made' above"))


class _Plain(yaml.SafeDumper):
    """Repeats what stands twice: an experiment of a service has no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _value(each: FormField, texts: list[str]) -> object:
    offered = each.shown.choices
    if isinstance(offered, dict):
        several = [offered.get(text, text) for text in texts]
        return several if each.shown.several else several[0]
    if each.shown.several:
        return texts
    text = texts[0].strip()
    value: object = text
    # What has aliases stays a text: a line of them stands for more than any memory holds.
    if yaml_problem(text) is None:
        with suppress(yaml.YAMLError, ValueError):
            value = yaml.safe_load(text)
    if isinstance(value, list | dict):
        return value
    if each.lists or ("," in text and not isinstance(value, bool | int | float)):
        return [_number(part.strip()) for part in text.split(",") if part.strip()]
    return value if isinstance(value, bool | int | float) else text


def _number(text: str) -> object:
    return int(text) if text.isascii() and text.isdecimal() else text


def _take(
    each: FormField,
    beside: Sequence[FormField],
    files: Sequence[Upload],
    values: dict[str, object],
    found: Filled,
    makes: str,
) -> None:
    own = each.shown.own
    if own is None:
        found.mistakes.append(Mistake(each.key, "takes no file"))
        return
    found.places[each.key] = each.file_name
    problems = [said for name, content in files if (said := _problem(own, name, content))]
    if own.settings and not problems:
        said = _take_settings(each, beside, files[0][1], values, found)
        problems = [said] if said else []
    if problems or own.settings:
        found.mistakes += [Mistake(each.key, said) for said in problems]
        return
    for group in own.sets.keys() & {*POINT_GROUPS}:
        _leave_out(values, group)
    values |= own.sets
    # Files of a project name each other.
    plain = [name if "/" in name else _UNUSUAL.sub("_", name) for name, _ in files]
    if each.key == "workload.program":
        try:
            values[each.key] = program_of(plain, makes)
        except ValueError as error:
            found.mistakes.append(Mistake(each.key, str(error)))
    else:
        values[each.key] = f"{UPLOADS}/{plain[0]}"
    for name, (_, content) in zip(plain, files, strict=True):
        path = f"{UPLOADS}/{name}"
        if path in found.files and found.files[path] != content:
            found.mistakes.append(Mistake(each.key, f"two different files have the name {name}"))
        found.files[path] = content
        found.places[path] = each.file_name


def _problem(own: Own, name: str, content: bytes) -> str:
    """What is wrong with a file before anything reads it; empty if nothing is."""
    # A project has files of any kind.
    if "/" in name:
        return ""
    if not name.lower().endswith(tuple(own.endings)):
        return f"the file is '{name}'; allowed: {', '.join(own.endings)}"
    return "" if content else f"the file '{name}' is empty"


def _take_settings(
    each: FormField,
    beside: Sequence[FormField],
    content: bytes,
    values: dict[str, object],
    found: Filled,
) -> str:
    """Keys of a file in place of those of the form's group; returns what is wrong with the file."""
    if len(content) > _MOST_SETTINGS:
        return f"{len(content):,} bytes; at most {_MOST_SETTINGS:,} bytes"
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "the file is not UTF-8"
    if wrong := yaml_problem(text):
        problem, line = wrong
        return f"line {line}: {problem}" if line else problem
    try:
        read: object = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as error:
        return f"it is not YAML: {error}"
    # Also the file of an experiment will do, which has the section under its name.
    for step in each.key.split("."):
        if isinstance(read, dict) and list(read) == [step]:
            read = read[step]
    if each.choices and each.shown.several:
        if not isinstance(read, list):
            return f"the file holds no list; give '{each.key}:' and a list"
        values[each.key] = read
        return ""
    if not isinstance(read, dict) or not read:
        return f"the file holds no settings; give '{each.key}:' and keys below it"
    in_group = {field.key for field in beside}
    for key in [key for key in values if key in in_group and key.startswith(f"{each.key}.")]:
        del values[key]
    for key, value in _flat(each.key, read):
        values[key] = value
        found.places[key] = each.file_name
    return ""


def _flat(prefix: str, section: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    for key, value in section.items():
        if isinstance(value, dict) and value:
            yield from _flat(f"{prefix}.{key}", value)
        else:
            yield f"{prefix}.{key}", value


def _leave_out(values: dict[str, object], group: str) -> None:
    for key in [key for key in values if key.startswith(f"{group}.")]:
        del values[key]


def _experiment(fixed: Mapping[str, object], values: Mapping[str, object]) -> dict[str, object]:
    groups = {key: value for key, value in values.items() if key in POINT_GROUPS}
    result: dict[str, object] = {}
    for key, value in [*fixed.items(), *values.items()]:
        if key not in POINT_GROUPS or isinstance(value, dict):
            _put(result, key.split("."), value)
    defaults = [{f"override /{key}": value} for key, value in groups.items()]
    if defaults:
        result = {**result, "defaults": defaults}
    return result


def _put(section: dict[str, object], steps: list[str], value: object) -> None:
    inner = section
    for step in steps[:-1]:
        below = inner.get(step)
        copy = dict(below) if isinstance(below, dict) else {}
        inner[step] = copy
        inner = copy
    inner[steps[-1]] = value


def by_field(
    form: Form, mistakes: Sequence[Mistake], places: Mapping[str, str] | None = None
) -> dict[str, list[str]]:
    """Messages beside what they are about; those of no field under an empty key.

    A field's key stands for it, or the name of its file. `places` are those of `Filled`.
    """
    where = {each.key: each.file_name if each.only_file else each.key for each in form.fields()}
    where |= places or {}
    found: dict[str, list[str]] = {}
    for mistake in mistakes:
        key = mistake.key.removeprefix("sweep.")
        near = [each for each in where if key == each or key.startswith((f"{each}.", f"{each}["))]
        nearest = max(near, key=len, default="")
        place = where.get(nearest, "")
        text = mistake.message if place else str(mistake)
        if place.endswith(FILE) and not key.startswith((place.removesuffix(FILE) + "[", UPLOADS)):
            text = text if key == place.removesuffix(FILE) else f"{key}: {text}"
        found.setdefault(place, []).append(text)
    return found

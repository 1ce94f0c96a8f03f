"""What a person put into a form, as one experiment file and the files that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from weft.config.model.experiment import POINT_GROUPS
from weft.service.forms.fields import Form, FormField
from weft.service.project import UPLOADS
from weft.service.tasks.check import Mistake

#: Of a field; a longer text belongs into a file.
_LONGEST = 2000


@dataclass
class Filled:
    """An experiment made of a form; `mistakes` are those that no file could hold."""

    experiment_yaml: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)


def filled(
    form: Form, posted: Mapping[str, Sequence[str]], uploads: Mapping[str, tuple[str, bytes]]
) -> Filled:
    """The experiment of posted values; `uploads` hold name and content by the field's key."""
    found = Filled()
    values: dict[str, object] = {}
    for each in form.fields():
        if each.only_file:
            continue
        texts = [text for text in posted.get(each.key, ()) if text.strip()]
        if sum(map(len, texts)) > _LONGEST:
            found.mistakes.append(Mistake(each.key, f"at most {_LONGEST:,} characters"))
        elif texts:
            values[each.key] = _value(each, texts)
    for each in form.fields():
        if each.key in uploads:
            _take(each, *uploads[each.key], values, found)
    found.experiment_yaml = yaml.dump(
        _experiment(form.template.experiment, values),
        Dumper=_Plain,
        sort_keys=False,
        allow_unicode=True,
        width=100,
    )
    return found


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
    try:
        value: object = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    if isinstance(value, bool | int | float | list):
        return value
    if "," in text and not isinstance(value, dict):
        return [_number(part.strip()) for part in text.split(",") if part.strip()]
    return text


def _number(text: str) -> object:
    return int(text) if text.isascii() and text.isdecimal() else text


def _take(
    each: FormField, name: str, content: bytes, values: dict[str, object], found: Filled
) -> None:
    own = each.shown.own
    if own is None:
        found.mistakes.append(Mistake(each.key, "takes no file"))
        return
    if not name.endswith(tuple(own.endings)):
        found.mistakes.append(
            Mistake(each.key, f"the file is '{name}'; allowed: {', '.join(own.endings)}")
        )
        return
    if not content:
        found.mistakes.append(Mistake(each.key, "the file is empty"))
        return
    for group in own.sets.keys() & {*POINT_GROUPS}:
        for key in [key for key in values if key.startswith(f"{group}.")]:
            del values[key]
    values |= own.sets
    path = f"{UPLOADS}/{name}"
    values[each.key] = name.removesuffix(".c") if each.key == "workload.program" else path
    found.files[path] = content


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


def by_field(form: Form, mistakes: Sequence[Mistake]) -> dict[str, list[str]]:
    """Messages beside the fields that they are about; those of no field under an empty key."""
    keys = [each.key for each in form.fields()]
    found: dict[str, list[str]] = {}
    for mistake in mistakes:
        key = mistake.key.removeprefix("sweep.")
        near = [each for each in keys if key == each or key.startswith((f"{each}.", f"{each}["))]
        place = max(near, key=len, default="")
        text = mistake.message if place else str(mistake)
        found.setdefault(place, []).append(text)
    return found

"""What figures, questions and expectations choose by `where`, and variants name: a value that no
point has would leave nothing, and a key that no point has would choose nothing."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from weft.config.language.errors import Problem, nearest
from weft.config.language.flow_text import written
from weft.config.language.section import spec_name
from weft.config.model.experiment import Experiment
from weft.config.points.chosen_in_si import unit_of
from weft.config.points.column_names import PLAIN, column_names
from weft.config.points.resolve import Part
from weft.files.dotted import dotted

#: More values than these do not help a reader.
MOST_SHOWN = 20


def where_problems(experiment: Experiment, parts: Iterable[tuple[str, Part]]) -> Iterator[Problem]:
    """Keys and values of filters and variants that no point has, with those that there are;
    `parts` make the points.

    Overrides switch this check off, because they may have removed the values. It skips seeds and
    replicates.
    """
    asked = list(_asked(experiment))
    if experiment.overrides or not asked:
        return
    planned = planned_values(experiment, parts)
    there = planned.keys() & set(column_names(experiment))
    for place, key, chosen in asked:
        values = planned.get(key)
        if values is None and key not in PLAIN:
            yield Problem(place, _no_key(key, there))
        elif values and not values.keys() & {same(value) for value in either(chosen)}:
            wanted = chosen if isinstance(chosen, list) else [chosen]
            texts = [_with_unit(key, value) for value in values.values()]
            guess = nearest(_with_unit(key, wanted[0]), texts) if wanted else ""
            more = ", …" if len(texts) > MOST_SHOWN else ""
            shown = " or ".join(f"'{_with_unit(key, value)}'" for value in wanted) or "'[]'"
            yield Problem(
                place,
                f"no point has {shown}{guess or ';'} the points have: "
                f"{', '.join(texts[:MOST_SHOWN])}{more}",
            )


def _no_key(key: str, there: Collection[str]) -> str:
    section, _, field = key.partition(".")
    fields = sorted(name.partition(".")[2] for name in there if name.startswith(f"{section}."))
    # The section, which is right, would make any of its keys look alike.
    guess = nearest(field, fields).replace("'", f"'{section}.", 1) or ";"
    known = ", ".join(f"{section}.{each}" for each in fields)
    return f"no point has {key}{guess} they have: {known or 'no such section'}"


def _asked(experiment: Experiment) -> Iterator[tuple[str, str, object]]:
    names = column_names(experiment)
    filters = [(f"{each.place}.where", each.asked.where) for each in experiment.figures]
    filters += [(f"{each.place}.where", each.asked.where) for each in experiment.questions]
    filters += [(f"{each.place}.where", each.asked.where) for each in experiment.expectations]
    variants = experiment.report.variants
    filters += [(f"report.variants.{name}", chosen) for name, chosen in variants.items()]
    for place, where in filters:
        for key, value in where.items():
            yield f"{place}.{key}", names.get(key, key), value


def planned_values(
    experiment: Experiment, parts: Iterable[tuple[str, Part]]
) -> Mapping[str, dict[object, object]]:
    """Values of each column, as compared and as written in messages."""
    plain = {"engine": experiment.engines, "variant": experiment.report.variants}
    found: dict[str, dict[object, object]] = {
        key: {same(name): name for name in names} for key, names in plain.items()
    }
    for groups in experiment.bases:
        for group, choice in groups:
            found.setdefault(group, {}).setdefault(same(choice), choice)
    swept = frozenset(experiment.sweep.swept_keys())
    for name, part in parts:
        section = "options" if name.startswith("engine.") else name
        for key, value in _values(name, part, swept):
            found.setdefault(f"{section}.{key}", {}).setdefault(same(value), value)
    return found


def _values(section: str, part: Part, swept: Collection[str]) -> Iterator[tuple[str, object]]:
    """What points have from a part: its spec, and swept values that a spec leaves out, like a
    taper of 1."""
    if part.model is None:
        return
    spec = part.model.spec()
    yield from dotted(spec)
    for key in type(part.model).model_fields:
        value = getattr(part.model, key)
        unsaid = value is not None and spec_name(type(part.model), key) not in spec
        if unsaid and f"{section}.{key}" in swept:
            yield key, value


def either(wanted: object) -> list[object]:
    """What a filter lets through: its value or any of several, which may also be one list."""
    return [*wanted, wanted] if isinstance(wanted, list) else [wanted]


def _with_unit(column: str, value: object) -> str:
    """`2048 B` of a column of bytes."""
    unit = unit_of(column)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:g} {unit}" if unit and is_number else written(value)


def same(value: Any) -> Any:
    """Equal settings compare equal: 16, 16.0 and "16" are one."""
    if isinstance(value, bool | list | tuple | dict):
        return json.dumps(value, sort_keys=True)
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)

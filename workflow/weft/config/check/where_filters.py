"""Values that figures and questions choose by `where`: one that no point has would leave
nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from weft.config.language.errors import Problem, nearest
from weft.config.model.experiment import Experiment
from weft.config.points.column_names import column_names
from weft.config.points.resolve import Part
from weft.files.dotted import dotted

#: More values than these help nobody.
MOST_SHOWN = 20


def where_problems(experiment: Experiment, parts: Iterable[tuple[str, Part]]) -> Iterator[Problem]:
    """Values of `where` that no point has, with those that there are; `parts` make the points.

    Overrides switch this check off, because they may have removed the values. It skips seeds and
    replicates.
    """
    asked = list(_asked(experiment))
    if experiment.overrides or not asked:
        return
    planned = planned_values(experiment, parts)
    for place, key, chosen in asked:
        values = planned.get(key)
        if values and not values.keys() & {same(value) for value in either(chosen)}:
            wanted = chosen if isinstance(chosen, list) else [chosen]
            texts = [written(value) for value in values.values()]
            guess = nearest(written(wanted[0]), texts) if wanted else ""
            more = ", …" if len(texts) > MOST_SHOWN else ""
            shown = " or ".join(f"'{written(value)}'" for value in wanted) or "'[]'"
            yield Problem(
                place,
                f"no point has {shown}{guess or ';'} the points have: "
                f"{', '.join(texts[:MOST_SHOWN])}{more}",
            )


def _asked(experiment: Experiment) -> Iterator[tuple[str, str, object]]:
    names = column_names(experiment)
    filters = [(each.place, each.asked.where) for each in experiment.figures]
    filters += [(each.place, each.asked.where) for each in experiment.questions]
    for place, where in filters:
        for key, value in where.items():
            yield f"{place}.where.{key}", names.get(key, key), value


def planned_values(
    experiment: Experiment, parts: Iterable[tuple[str, Part]]
) -> Mapping[str, dict[object, Any]]:
    """Values of each column, as compared and as written in messages."""
    plain = {"engine": experiment.engines, "variant": experiment.report.variants}
    found = {key: {same(name): name for name in names} for key, names in plain.items()}
    for groups in experiment.bases:
        for group, choice in groups:
            found.setdefault(group, {}).setdefault(same(choice), choice)
    for name, part in parts:
        section = "options" if name.startswith("engine.") else name
        for key, value in dotted(part.model.spec() if part.model else {}):
            found.setdefault(f"{section}.{key}", {}).setdefault(same(value), value)
    return found


def either(wanted: object) -> list[object]:
    """What a filter lets through: its value or any of several, which may also be one list."""
    return [*wanted, wanted] if isinstance(wanted, list) else [wanted]


def written(value: object) -> str:
    """As it is written in the file: a list in brackets."""
    if not isinstance(value, list | tuple):
        return str(value)
    return yaml.safe_dump(list(value), default_flow_style=True, width=10**6).strip()


def same(value: Any) -> Any:
    """Equal settings compare equal: 16, 16.0 and "16" are one."""
    if isinstance(value, bool | list | tuple | dict):
        return json.dumps(value, sort_keys=True)
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)

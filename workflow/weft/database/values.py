"""The values of parameters in many points, each value once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from weft.database.points import distinct
from weft.files.dotted import dotted
from weft.plan.columns import COORDINATE
from weft.plan.model import PARTS
from weft.plan.points import Points

#: Columns of the view `answers` that a parameter must not hide.
RESERVED = frozenset(
    {"experiment", "point_id", "engine", "replicate", "seed", "status", "metric"}
    | {"message_bytes", "value", "unit", "flag"}
)
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Values:
    """Values that a parameter has, and for each point the place of its own; -1 for none."""

    values: Sequence[Any]
    places: npt.NDArray[np.int64]


def parameter_values(points: Points) -> dict[str, Values]:
    """Every parameter of `points` by dotted key, sorted.

    Swept keys that are not in a point's spec join it.
    """
    found = dict(_of_specs(points))
    for key in points.keys:
        column = distinct(points, COORDINATE + key)
        swept = Values([json.loads(text) for text in column.texts], column.places)
        found[key] = _first(found[key], swept) if key in found else swept
    used = {key: _used(found[key]) for key in sorted(found.keys() - RESERVED)}
    return {key: values for key, values in used.items() if values.values}


def _of_specs(points: Points) -> Iterator[tuple[str, Values]]:
    for part in PARTS:
        column = distinct(points, part)
        flat = [dict(dotted({part: json.loads(text)})) for text in column.texts]
        for key in {key for each in flat for key in each}:
            yield key, Values([each.get(key, _ABSENT) for each in flat], column.places)


def _first(these: Values, those: Values) -> Values:
    """The values of `these`, and of `those` in points that lack one."""
    # The last stands for the place -1.
    present = np.array([*(value is not _ABSENT for value in these.values), False])[these.places]
    others = np.where(those.places < 0, -1, those.places + len(these.values))
    return Values([*these.values, *those.values], np.where(present, these.places, others))


def _used(found: Values) -> Values:
    """The same without values that no point has."""
    used, inverse = np.unique(found.places, return_inverse=True)
    kept: list[object] = []
    numbers = np.full(len(used), -1, np.int64)
    for number, place in enumerate(used.tolist()):
        if place >= 0 and found.values[place] is not _ABSENT:
            numbers[number] = len(kept)
            kept.append(found.values[place])
    return Values(kept, numbers[inverse])

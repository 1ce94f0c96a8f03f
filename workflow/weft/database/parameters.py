"""Points, and their parameters as one typed column per dotted key."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from weft.plan.model import Plan, Point
from weft.tables import SCHEMAS

#: Columns of the view `answers` that a parameter must not hide.
RESERVED = frozenset(
    {"experiment", "point_id", "engine", "replicate", "seed", "status", "metric"}
    | {"message_bytes", "value", "unit", "flag"}
)


def points_table(plans: Iterable[Plan]) -> pa.Table:
    """The table `points` of all plans."""
    rows = [
        {
            "experiment": plan.experiment,
            "point_id": point.point_id,
            "engine": point.engine,
            "replicate": point.replicate,
            "seed": point.seed,
            "spec": json.dumps(point.spec, sort_keys=True),
            "coordinates": json.dumps(point.coordinates, sort_keys=True),
        }
        for plan in plans
        for point in plan.points
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMAS["points"])


def parameters_table(plans: Iterable[Plan]) -> pa.Table:
    """`experiment`, `point_id`, `replicate` and one column per parameter that any point has."""
    keyed = [(plan.experiment, p, parameters(p)) for plan in plans for p in plan.points]
    columns: dict[str, pa.Array] = {
        "experiment": pa.array([experiment for experiment, _, _ in keyed], pa.string()),
        "point_id": pa.array([point.point_id for _, point, _ in keyed], pa.string()),
        "replicate": pa.array([point.replicate for _, point, _ in keyed], pa.int64()),
    }
    for key in sorted({key for _, _, found in keyed for key in found}):
        columns[key] = _column([found.get(key) for _, _, found in keyed])
    return pa.table(columns)


def parameters(point: Point) -> dict[str, Any]:
    """The point's parameters under dotted keys; swept keys that are not in the spec join them."""
    found = dict(_flattened(point.spec))
    for key, value in point.coordinates.items():
        found.setdefault(key, value)
    return {key: value for key, value in found.items() if key not in RESERVED}


def _flattened(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _column(values: list[Any]) -> pa.Array:
    """Integers, floats and booleans keep their type; anything mixed or nested becomes text."""
    kinds = {type(value) for value in values if value is not None}
    for kind, arrow in ((bool, pa.bool_()), (int, pa.int64()), (str, pa.string())):
        if kinds == {kind}:
            return pa.array(values, arrow)
    if kinds and kinds <= {int, float}:
        return pa.array([None if v is None else float(v) for v in values], pa.float64())
    return pa.array([_text(value) for value in values], pa.string())


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, sort_keys=True)

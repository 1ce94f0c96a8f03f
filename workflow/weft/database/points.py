"""The points of a plan as rows of the table `points`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from weft.plan.columns import COORDINATE
from weft.plan.model import PARTS
from weft.plan.points import Points
from weft.tables import SCHEMAS


@dataclass(frozen=True, slots=True)
class Distinct:
    """A column of points: each text that occurs once, and for each row its place or -1."""

    texts: list[str]
    places: npt.NDArray[np.int64]


def distinct(points: Points, column: str) -> Distinct:
    """A dictionary column of `points` without the texts that none of these points has."""
    used, places = np.unique(points.codes(column), return_inverse=True)
    nulls = int(len(used) > 0 and used[0] < 0)
    texts = spread(points.column(column).dictionary, used[nulls:]).to_pylist()
    return Distinct(texts, places - nulls)


def spread(values: pa.Array, places: npt.NDArray[Any]) -> pa.Array:
    """The value at each of `places`; null for -1."""
    # `pyarrow.array` of a NumPy array would import pandas, which takes a quarter of a second.
    buffers = [None, pa.py_buffer(np.ascontiguousarray(places, np.int64))]
    indices = pa.Array.from_buffers(pa.int64(), len(places), buffers)
    return values.take(pc.if_else(pc.less(indices, 0), None, indices))


def points_table(experiment: str, points: Points) -> pa.Table:
    """Rows of the table `points`."""
    engines = distinct(points, "engine")
    spec = {
        "engine": _members("engine", [json.dumps(text) for text in engines.texts], engines.places),
        **{part: _parsed(points, part, part) for part in PARTS},
        "seed": pc.binary_join_element_wise(', "seed": ', points.column("seed").cast("str"), ""),
    }
    coordinates = [_parsed(points, COORDINATE + key, key) for key in points.keys]
    columns = {
        "experiment": pa.array([experiment] * len(points)),
        "point_id": points.ids,
        "engine": points.column("engine").dictionary_decode(),
        "replicate": points.column("replicate"),
        "seed": points.column("seed"),
        "spec": _object([members for _, members in sorted(spec.items())], len(points)),
        "coordinates": _object(coordinates, len(points)),
    }
    return pa.table(columns, schema=SCHEMAS["points"])


def _parsed(points: Points, column: str, key: str) -> pa.Array:
    found = distinct(points, column)
    values = [json.dumps(json.loads(text), sort_keys=True) for text in found.texts]
    return _members(key, values, found.places)


def _members(key: str, values: list[str], places: npt.NDArray[np.int64]) -> pa.Array:
    """For each row a member of a JSON object, with a comma before it; null for none."""
    texts = pa.array([f", {json.dumps(key)}: {value}" for value in values], pa.string())
    return spread(texts, places)


def _object(members: list[pa.Array], rows: int) -> pa.Array:
    """JSON objects of these members, without the comma before the first."""
    if not members:
        return pa.array(["{}"] * rows)
    joined = pc.binary_join_element_wise(*members, "", null_handling="replace", null_replacement="")
    return pc.binary_join_element_wise("{", pc.utf8_slice_codeunits(joined, 2), "}", "")

"""The table of points that queries join: what distinguishes them, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from weft.files.dotted import dotted
from weft.plan.model import Point
from weft.plan.points import Points
from weft.report.data.settings import plain

SIZE = "message_bytes"
SIZE_KEY = "workload.message_bytes"
LOAD = "workload.injection_rate"
RANKS = "workload.ranks"
PATTERN = "workload.pattern"
PROGRAM = "workload.program"
#: The group of a workload, where the sweep names several.
WORKLOAD = "workload"
#: How the keys of failed links and switches begin.
FAILURES = "topology.failed"


def point_settings(point: Point) -> dict[str, Any]:
    """Spec and coordinates flattened; message sizes are an axis inside the point, so not here."""
    flat: dict[str, Any] = {key: plain(value) for key, value in dotted(point.spec)}
    flat.update((key, plain(value)) for key, value in point.coordinates.items())
    flat.update(engine=point.engine)
    for key in (SIZE_KEY, SIZE, "seed"):
        flat.pop(key, None)
    return flat


def axes_table(
    points: Points,
    alike: npt.NDArray[np.int64],
    settings: Sequence[Mapping[str, Any]],
    keys: Iterable[str],
) -> pa.Table:
    """Points with their seeds and the values of `keys`.

    `settings` are distinct ones, and `alike` has for every point the place of its own in them, a
    column of the table, too. A value that many points have is held once.
    """
    places = pa.array(alike, pa.int32())
    columns: dict[str, pa.Array] = {"point_id": points.ids, "alike": places}
    for key in keys:
        values = [row.get(key) for row in settings]
        kinds = {type(value) for value in values if value is not None}
        if not kinds <= {int, float}:
            values = [None if value is None else str(value) for value in values]
        distinct = pa.array(values, pa.float64() if kinds == {int, float} else None)
        columns[key] = pa.DictionaryArray.from_arrays(places, distinct)
    columns["seed"] = points.column("seed")
    return pa.table(columns)

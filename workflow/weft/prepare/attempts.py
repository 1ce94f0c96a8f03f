"""Another attempt at points that failed, or were measured on a busy machine."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from weft.files.calibrations import read_calibration
from weft.files.layout import ExperimentFolder, Results
from weft.plan.plan import Plan

#: Lists of a shard's `status.json` whose points may be attempted again.
Again = Literal["failed", "flagged"]


def next_attempts(plan: Plan, results: Path, again: Collection[Again]) -> dict[str, dict[str, int]]:
    """Per shard, the number of the next attempt at each point whose last one is to be repeated.

    With `flagged` that is also the point from which no link parameters could be fitted.
    """
    found: dict[str, dict[str, int]] = {}
    mine = Results(results).experiment(plan.experiment)
    unfitted = _unfitted(mine) if "flagged" in again else frozenset()
    for shard in plan.shards:
        status = mine.shard(shard.engine, shard.shard_id).status
        file = mine.order(shard.shard_id)
        if again and status.exists() and file.exists():
            outcomes = json.loads(status.read_text())
            points = {point for name in again for point in outcomes.get(name, ())}
            points |= unfitted.intersection(outcomes.get("done", ()))
            tried = json.loads(file.read_text())["attempts"]
            if points:
                found[shard.shard_id] = {each: tried.get(each, 1) + 1 for each in sorted(points)}
    return found


def _unfitted(folder: ExperimentFolder) -> frozenset[str]:
    try:
        fit = read_calibration(folder.calibration)
        return frozenset({fit["source_point_id"]} if "problem" in fit else ())
    except (OSError, ValueError, TypeError, KeyError):
        return frozenset()

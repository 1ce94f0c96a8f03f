"""Another attempt at points that failed, or were measured on a busy machine."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from weft.engines import EngineError
from weft.engines.shards import read_shard
from weft.files.calibrations import read_calibration
from weft.files.layout import ExperimentFolder, Results, ShardFolder
from weft.plan.outcome import DamagedError, ShardOutcome, read_status
from weft.plan.plan import Plan
from weft.prepare.request.request import Again


def next_attempts(plan: Plan, results: Path, again: Collection[Again]) -> dict[str, dict[str, int]]:
    """Per shard, the number of the next attempt at each point whose last one is to be repeated.

    With `flagged` that is also the point from which no link parameters could be fitted.
    """
    found: dict[str, dict[str, int]] = {}
    mine = Results(results).experiment(plan.experiment)
    unfitted = _unfitted(mine) if "flagged" in again else frozenset()
    for shard in plan.shards:
        outcome = _outcome(mine.shard(shard.engine, shard.shard_id))
        file = mine.order(shard.shard_id)
        if again and outcome and file.exists():
            points = {point for name in again for point in getattr(outcome, name)}
            points |= unfitted.intersection(outcome.done)
            if points:
                tried = _tried(file)
                found[shard.shard_id] = {each: tried.get(each, 1) + 1 for each in sorted(points)}
    return found


def _outcome(left: ShardFolder) -> ShardOutcome | None:
    """How a shard ended; one whose status is damaged is computed again anyway."""
    try:
        return read_status(left.path)
    except DamagedError:
        return None


def _tried(file: Path) -> Mapping[str, int]:
    """The attempts in a shard file; none in one that is damaged and written anew."""
    try:
        return read_shard(file)["attempts"]
    except (EngineError, KeyError):
        return {}


def _unfitted(folder: ExperimentFolder) -> frozenset[str]:
    try:
        fit = read_calibration(folder.calibration)
        return frozenset({fit["source_point_id"]} if "problem" in fit else ())
    except (OSError, ValueError, TypeError, KeyError):
        return frozenset()

"""Points whose link parameters nobody could fit: they are skipped, and the others go on."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from weft.engines.base import ShardJob
from weft.engines.journal import append, finished
from weft.engines.shards import PROBLEM


def skip_uncalibrated(job: ShardJob) -> ShardJob:
    """Note the points of `job` that lack link parameters as skipped; the job of the others."""
    known = finished(job.journal)
    possible: list[Mapping[str, Any]] = []
    skipped: list[Mapping[str, Any]] = []
    for point in job.shard["points"]:
        problem = point.get("network", {}).get(PROBLEM)
        (possible if problem is None else skipped).append(point)
        if problem is not None and point["digest"] not in known:
            append(job.journal, _line(point, problem))
    if skipped:
        noun = "point" if len(skipped) == 1 else "points"
        reason = skipped[0]["network"][PROBLEM]
        print(f"{job.directory}: {len(skipped)} {noun} skipped: {reason}", file=sys.stderr)
    return replace(job, shard={**job.shard, "points": possible})


def _line(point: Mapping[str, object], problem: str) -> Mapping[str, object]:
    return {
        "point_id": point["point_id"],
        "digest": point["digest"],
        "status": "skipped",
        "error": problem,
        "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "wall_s": 0.0,
        "cpu_s": 0.0,
        "metrics": [],
    }

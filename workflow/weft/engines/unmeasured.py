"""Points that need what a measurement did not give, or what the machine does not have: they are
skipped, and the others go on."""

from __future__ import annotations

import sys
from dataclasses import replace

from weft.engines.base import ShardJob
from weft.engines.journal import append, finished, skipped
from weft.engines.order import ResolvedPoint


def skip_unmeasured(job: ShardJob) -> ShardJob:
    """Note the points of `job` that lack link parameters, or nodes, as skipped; the job of the
    others."""
    known = finished(job.journal)
    possible: list[ResolvedPoint] = []
    lacking: list[str] = []
    for point in job.shard["points"]:
        problem = _problem(point)
        if problem is None:
            possible.append(point)
            continue
        lacking.append(problem)
        if point["digest"] not in known:
            append(job.journal, skipped(point, problem))
    if lacking:
        noun = "point" if len(lacking) == 1 else "points"
        print(f"{job.directory}: {len(lacking)} {noun} skipped: {lacking[0]}", file=sys.stderr)
    return replace(job, shard={**job.shard, "points": possible})


def _problem(point: ResolvedPoint) -> str | None:
    """Why the measurement gave no link parameters, or no nodes, or why there can be none."""
    return (
        point.get("refused")
        or point["network"].get("problem")
        or point.get("placement", {}).get("problem")
    )

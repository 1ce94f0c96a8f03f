"""Points whose link parameters nobody could fit: they are skipped, and the others go on."""

from __future__ import annotations

import sys
from dataclasses import replace

from weft.engines.base import ShardJob
from weft.engines.journal import append, finished, skipped
from weft.engines.order import ResolvedPoint


def skip_uncalibrated(job: ShardJob) -> ShardJob:
    """Note the points of `job` that lack link parameters as skipped; the job of the others."""
    known = finished(job.journal)
    possible: list[ResolvedPoint] = []
    unfitted: list[ResolvedPoint] = []
    for point in job.shard["points"]:
        problem = point["network"].get("problem")
        (possible if problem is None else unfitted).append(point)
        if problem is not None and point["digest"] not in known:
            append(job.journal, skipped(point, problem))
    if unfitted:
        noun = "point" if len(unfitted) == 1 else "points"
        reason = unfitted[0]["network"]["problem"]
        print(f"{job.directory}: {len(unfitted)} {noun} skipped: {reason}", file=sys.stderr)
    return replace(job, shard={**job.shard, "points": possible})

"""Another attempt at points that failed."""

from __future__ import annotations

import json
from pathlib import Path

from weft.engines.shards import shard_path
from weft.plan.model import Plan


def next_attempts(plan: Plan, results: Path) -> dict[str, dict[str, int]]:
    """Per shard, the number of the next attempt at each point whose last one failed."""
    found: dict[str, dict[str, int]] = {}
    for shard in plan.shards:
        folder = results / plan.experiment / shard.engine / shard.shard_id
        status, file = folder / "status.json", shard_path(results, plan.experiment, shard.shard_id)
        if status.exists() and file.exists():
            failed = json.loads(status.read_text())["failed"]
            tried = json.loads(file.read_text())["attempts"]
            if failed:
                found[shard.shard_id] = {point: tried.get(point, 1) + 1 for point in failed}
    return found

"""What is missing, altered or not collected is computed and collected again.

Snakemake goes by times, and asks no more of a file that a finished page was made from. So what does
not hold any more is taken away before it looks; who only looks gets a newer input instead.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from weft.database import is_whole, stamp_path
from weft.files import Aside
from weft.files.layout import ExperimentFolder
from weft.plan.model import Plan
from weft.plan.outcomes import Outcomes


def forget(
    plan: Plan, outcomes: Outcomes, results: Path, *, partial: bool, aside: Aside | None
) -> dict[str, Any]:
    """Forget the outcomes of damaged shards, and the stamp of a collection that lacks some.

    Names damaged files on the terminal. With `aside` nothing is removed; returns as rules look them
    up the newer inputs: `stale` of the collection, and `changed` by shard.
    """
    changed = {}
    for shard in plan.shards:
        if outcomes(shard) is None and shard.shard_id in outcomes.damaged:
            reason = outcomes.damaged[shard.shard_id]
            print(f"weft: {reason}: shard {shard.shard_id} is computed again", file=sys.stderr)
            status = ExperimentFolder(outcomes.folder).shard(shard.engine, shard.shard_id).status
            if aside:
                changed[shard.shard_id] = _newer(aside, status)
            else:
                status.unlink(missing_ok=True)
    stamp = stamp_path(results, plan.experiment)
    stale = _lacks(plan, outcomes, partial) or not is_whole(results)
    if stale and not aside:
        stamp.unlink(missing_ok=True)
    return {"stale": [_newer(aside, stamp)] if stale and aside else [], "changed": changed}


def _lacks(plan: Plan, outcomes: Outcomes, partial: bool) -> bool:
    """Whether the database holds other outcomes than there are, or some are still to come."""
    found = {shard.shard_id: outcomes(shard) for shard in plan.shards}
    there = {name: outcome.seal for name, outcome in found.items() if outcome}
    held: Mapping[str, str] = {name: each.seal for name, each in outcomes.held.items()}
    return there != held or (len(there) < len(found) and not partial)


def _newer(aside: Aside, path: Path) -> str:
    return str(aside(path.with_name(f"{path.name}.forgotten"), path.name))

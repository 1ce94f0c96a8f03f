"""What an idle node simulates: shards of the experiment for whose jobs nothing has to be waited."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from weft.engines.base import EngineError
from weft.engines.execute import compute_when_idle
from weft.engines.shards import read_shard
from weft.files import unsealed
from weft.files.layout import ExperimentFolder, ShardFolder
from weft.plan.model import SIMULATE_THREADS
from weft.prepare.jobs.entries import Found


def simulate(folder: ExperimentFolder) -> bool:
    """Compute the open simulations of an experiment, one shard after the other; whether none is
    left that another process computes.

    A shard that breaks is left to its own job, which says so. The last ones come first, because
    jobs of the queue begin with the first ones.
    """
    found = cast("Found", unsealed(folder.schedule.read_bytes().rstrip(b"\n"), required=False))
    whole = True
    for left in reversed([*_open(found)]):
        name = left.path.name
        image = found["images"].get(name)
        threads = min(found["few"].get(name, SIMULATE_THREADS), len(os.sched_getaffinity(0)))
        order = folder.order(name)
        try:
            if read_shard(order).get("declared", {}).get("measures"):
                continue
            whole &= compute_when_idle(
                order, Path(image) if image else None, left.path, threads, left.log
            )
        except (EngineError, OSError) as error:
            print(f"{left.path}: {error}", file=sys.stderr, flush=True)
    return whole


def _open(found: Found) -> Iterator[ShardFolder]:
    """Shards without an end that need neither a measurement nor a simulator that is not there."""
    for status in found["status"]:
        left = ShardFolder(Path(status).parent)
        waits = any(left.path.name in found[key] for key in ("calibration", "placement", "ready"))
        if not waits and not left.status.exists():
            yield left

"""Rows of the table `jobs`: what became of every job that worked on a shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from weft.engines.jobs import read_jobs, settle_if_idle
from weft.files.layout import Results
from weft.plan.plan import Plan
from weft.tables import SCHEMAS


def job_rows(plan: Plan, results: Path) -> Iterator[Mapping[str, object]]:
    """One row per job; first asks how jobs ended whose history has no end."""
    mine = Results(results).experiment(plan.experiment)
    for shard in plan.shards:
        folder = mine.shard(shard.engine, shard.shard_id).path
        settle_if_idle(folder)
        known = {"experiment": plan.experiment, "engine": shard.engine, "shard": shard.shard_id}
        for attempt, job in enumerate(read_jobs(folder), start=1):
            row = {**job, **known, "attempt": attempt}
            yield {name: row.get(name) for name in SCHEMAS["jobs"].names}

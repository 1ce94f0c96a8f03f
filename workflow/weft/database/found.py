"""What lies on the disk for an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from weft.database.files import ROWS, DamagedShard, FinishedShard, ended_shards
from weft.database.jobs import job_rows
from weft.files.layout import Results
from weft.plan.outcomes import Held
from weft.plan.plan import Plan
from weft.plan.stored import read_plan


@dataclass(frozen=True, slots=True)
class Collected:
    """One experiment's plan and what is on the disk for it.

    `damaged` shards have no rows; what the database holds lacks them, so that the next run of the
    experiment compares all of their files and computes them again.
    """

    plan: Plan
    shards: tuple[FinishedShard, ...]
    damaged: tuple[DamagedShard, ...] = ()
    jobs: tuple[Mapping[str, object], ...] = ()

    def files(self, table: str) -> list[str]:
        """The files with rows of `table`, in the order of the shards."""
        return [str(path) for shard in self.shards if (path := shard.tables.get(table))]

    def outcomes(self) -> pa.Table:
        """What became of the points: `point_id`, `outcome`."""
        return pa.concat_tables([ROWS.empty_table(), *(shard.outcomes for shard in self.shards)])

    def held(self) -> dict[str, Held]:
        """How the shards look on the disk."""
        return {shard.shard_id: shard.held for shard in self.shards}


def planned(results: Path) -> Sequence[str]:
    """The experiments that have a plan."""
    return sorted(path.parent.name for path in Results(results).plans())


def look(experiment: str, results: Path) -> Collected:
    """The plan of `experiment` and its shards that ended, every file compared with its checksum.

    Raises DamagedError, saying what to do, when the plan is damaged.
    """
    plan = read_plan(Results(results).experiment(experiment).plan)
    ended = list(ended_shards(plan, results))
    finished = tuple(each for each in ended if isinstance(each, FinishedShard))
    damaged = tuple(each for each in ended if isinstance(each, DamagedShard))
    return Collected(plan, finished, damaged, tuple(job_rows(plan, results)))

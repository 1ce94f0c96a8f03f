"""What finished shards left on the disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from weft.files.layout import Results, ShardFolder
from weft.plan.outcome import (
    FLAGGED,
    OUTCOMES,
    DamagedError,
    ShardOutcome,
    look_at,
    read_outcome,
)
from weft.plan.outcomes import Held
from weft.plan.plan import Plan
from weft.tables import SCHEMAS, has_other_columns

ROWS = pa.schema([("point_id", pa.string()), ("outcome", pa.string())])


@dataclass(frozen=True, slots=True)
class DamagedShard:
    """A shard without rows, and which file of it is damaged in what way.

    The next plan sees those that are `altered`, too. Of the others only a reader sees it.
    """

    shard_id: str
    folder: ShardFolder
    what: str
    altered: bool


@dataclass(frozen=True, slots=True)
class FinishedShard:
    """A shard's tables, what became of its points, and how it looks on the disk.

    `tables` are files by table, `digests` their SHA-256; `outcomes` has a row (`point_id`,
    `outcome`) for each point, and another one where it is flagged.
    """

    shard_id: str
    tables: Mapping[str, Path]
    digests: Mapping[str, str]
    outcomes: pa.Table
    held: Held


def ended_shards(plan: Plan, results: Path) -> Iterator[FinishedShard | DamagedShard]:
    """The plan's shards that ended, each file of theirs compared with its checksum."""
    mine = Results(results).experiment(plan.experiment)
    for shard in plan.shards:
        left = mine.shard(shard.engine, shard.shard_id)
        outcome = None
        try:
            outcome = read_outcome(left.path)
            if outcome:
                yield _finished(shard.shard_id, left, outcome)
        except DamagedError as error:
            yield DamagedShard(shard.shard_id, left, error.what, altered=outcome is None)


def _finished(shard_id: str, left: ShardFolder, outcome: ShardOutcome) -> FinishedShard:
    files = {name: left.table(name) for name in SCHEMAS}
    tables = {name: path for name, path in files.items() if path.name in outcome.files}
    for table, path in tables.items():
        check_table(table, path)
    digests = {table: outcome.files[path.name] for table, path in tables.items()}
    held = Held(outcome.seal, look_at(left.path, outcome))
    return FinishedShard(shard_id, tables, digests, outcomes_table(outcome), held)


def outcomes_table(outcome: ShardOutcome) -> pa.Table:
    """The points of `outcome` as rows."""
    found = {name: getattr(outcome, name) for name in (*OUTCOMES, FLAGGED)}
    ids = [point_id for points in found.values() for point_id in points]
    names = [name for name, points in found.items() for _ in points]
    return pa.table([ids, names], schema=ROWS)


def check_table(table: str, path: Path) -> None:
    """Raise DamagedError unless `path` is a whole Parquet file with the columns of `table`."""
    try:
        names = pq.read_schema(path).names
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0]
        raise DamagedError(f"{path} is truncated or not a Parquet file ({reason})") from error
    if has_other_columns(table, names):
        raise DamagedError(f"{path} has other columns than table {table}")

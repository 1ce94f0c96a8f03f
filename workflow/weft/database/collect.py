"""Builds `results/weft.duckdb` anew from plans and Parquet files, as its only writer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import duckdb
import pyarrow as pa

from weft.database.failures import failures_text
from weft.database.files import FinishedShard, finished_shards
from weft.database.jobs import job_rows
from weft.database.parameters import parameters_table, points_table
from weft.database.published import published_rows
from weft.database.views import create_answers
from weft.database.whole import lock_path, note
from weft.files import replace_text, replacing, take_lock
from weft.files.layout import Results
from weft.plan.model import Plan
from weft.plan.outcomes import write_held
from weft.plan.stored import read_plan
from weft.tables import SCHEMAS

#: Tables that shards fill; in the database each has the column `experiment` in front.
SHARD_TABLES = (
    "runs", "metrics", "samples", "messages", "links", "nodes", "buffers", "series",
    "congestion", "files",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Collected:
    """One experiment's plan and what is on the disk for it."""

    plan: Plan
    shards: tuple[FinishedShard, ...]
    jobs: tuple[Mapping[str, object], ...] = ()


def stamp_path(results: Path, experiment: str) -> Path:
    """The file that says what the database holds of `experiment`."""
    return Results(results).experiment(experiment).stamp


def collect(experiment: str, results: Path, papers: Path, database: Path) -> None:
    """Replace `database` by one with all finished shards of all planned experiments.

    Writes the stamp of `experiment`: its text changes only with that experiment's rows, so that
    another experiment's news do not rebuild its report. Prints which of its points failed and why.
    Raises ValueError for a damaged file of `experiment`; another experiment with one is left out
    and loses its stamp, so that its own collection says so.
    """
    with _writer(database):
        found = list(_all_collected(experiment, results))
        published = list(published_rows(papers))
        with replacing(database) as temporary:
            build(found, published, temporary)
        note(database)
        for each in found:
            held = {shard.shard_id: shard.held for shard in each.shards}
            write_held(results / each.plan.experiment, held)
    mine = next(each for each in found if each.plan.experiment == experiment)
    _write_stamp(mine, published, stamp_path(results, experiment))
    if text := failures_text(mine.plan, mine.shards):
        print(text, file=sys.stderr, flush=True)


@contextmanager
def _writer(database: Path) -> Iterator[None]:
    """Let one process at a time build the database; others wait."""
    database.parent.mkdir(parents=True, exist_ok=True)
    with lock_path(database).open("w") as lock:
        if not take_lock(lock):
            print(f"weft: waiting for another run to write {database}", file=sys.stderr, flush=True)
            take_lock(lock, wait=True)
        yield


def _all_collected(experiment: str, results: Path) -> Iterator[Collected]:
    for path in Results(results).plans():
        try:
            yield _collected(path, results)
        except ValueError:
            if path.parent.name == experiment:
                raise
            stamp_path(results, path.parent.name).unlink(missing_ok=True)


def _collected(plan_path: Path, results: Path) -> Collected:
    plan = read_plan(plan_path)
    return Collected(plan, tuple(finished_shards(plan, results)), tuple(job_rows(plan, results)))


def build(
    found: Iterable[Collected], published: Iterable[Mapping[str, object]], path: Path
) -> None:
    """Write a new database to `path`."""
    found = list(found)
    with duckdb.connect(str(path)) as con:
        con.execute("BEGIN")
        plans = [each.plan for each in found]
        _create(con, "points", points_table(plans))
        _create(con, "parameters", parameters_table(plans))
        schema = SCHEMAS["published"]
        _create(con, "published", pa.Table.from_pylist(list(published), schema=schema))
        jobs = [row for each in found for row in each.jobs]
        _create(con, "jobs", pa.Table.from_pylist(jobs, schema=SCHEMAS["jobs"]))
        for table in SHARD_TABLES:
            columns = pa.schema([pa.field("experiment", pa.string()), *SCHEMAS[table]])
            _create(con, table, columns.empty_table())
        for each in found:
            _insert(con, each)
        create_answers(con)
        con.execute("COMMIT")


def _create(con: duckdb.DuckDBPyConnection, name: str, table: pa.Table) -> None:
    con.register("incoming", table)
    con.execute(f"CREATE TABLE {name} AS SELECT * FROM incoming")
    con.unregister("incoming")


def _insert(con: duckdb.DuckDBPyConnection, each: Collected) -> None:
    """Insert the rows of points that are still planned."""
    for table in SHARD_TABLES:
        files = [str(f) for shard in each.shards if (f := shard.tables.get(table))]
        if files:
            con.execute(
                f"INSERT INTO {table} BY NAME SELECT $experiment AS experiment, rows.*"
                " FROM read_parquet($files, union_by_name = true, hive_partitioning = false)"
                " AS rows"
                " SEMI JOIN (SELECT point_id FROM points WHERE experiment = $experiment) AS planned"
                " ON rows.point_id = planned.point_id",
                {"experiment": each.plan.experiment, "files": files},
            )


def _write_stamp(mine: Collected, published: Sequence[Mapping[str, object]], path: Path) -> None:
    planned = {point.point_id for point in mine.plan.points}
    done = {i for shard in mine.shards for i in shard.outcome.done} & planned
    failed = {i for shard in mine.shards for i in shard.outcome.failed} & planned
    skipped = {i for shard in mine.shards for i in shard.outcome.skipped} & planned
    flagged = {i for shard in mine.shards for i in shard.outcome.flagged} & planned
    content = {
        "points": len(planned),
        "done": len(done),
        "failed": len(failed),
        "skipped": len(skipped),
        "flagged": len(flagged),
        "missing": len(planned - done - failed - skipped),
        "digest": _digest(mine, published),
    }
    replace_text(path, json.dumps(content, indent=1) + "\n")


def _digest(mine: Collected, published: Sequence[Mapping[str, object]]) -> str:
    """Of everything that a report may show of these shards."""
    digest = sha256(json.dumps(published, sort_keys=True).encode())
    for point in mine.plan.points:
        digest.update(json.dumps([point.point_id, dict(point.coordinates)]).encode())
    digest.update(json.dumps(mine.jobs, sort_keys=True).encode())
    for shard in mine.shards:
        for _, file in sorted(shard.tables.items()):
            with file.open("rb") as content:
                while block := content.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()

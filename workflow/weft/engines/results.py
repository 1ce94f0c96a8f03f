"""A shard's journal and side files as Parquet tables, and its `status.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from weft.engines.base import Engine, EngineError, ShardJob
from weft.engines.computing import MeasuredComputing
from weft.engines.journal import JournalLine, numbered_lines
from weft.engines.places import RankPlace, places
from weft.engines.provenance import machine_facts
from weft.engines.registry import shard_engine
from weft.engines.shards import digest
from weft.engines.side_files import note_side_files
from weft.engines.traces import notes_of_traces
from weft.files.layout import LEFT, ShardFolder
from weft.plan.outcome import FLAGGED, write_outcome
from weft.plan.spec import Calibration
from weft.tables import SCHEMAS, with_all_columns, write_table
from weft.tables.rows import column, table_of

RATE = "rate_bytes_per_s"
SIMULATED = ("messages", "links")
FIELDS = ("status", "error", "log", "wall_s", "cpu_s", "peak_rss_bytes", "started_at", "flag")


def write_results(
    job: ShardJob,
    calibration: Calibration | None,
    computing: Mapping[str, MeasuredComputing] | None = None,
) -> None:
    """Write the tables, then `status.json`, which marks the shard as complete.

    `computing` holds by point what is known about measured computing.

    Raises EngineError when the journal lacks a point.
    """
    journal = dict(numbered_lines(job.journal))
    lines = {line["digest"]: line for line in journal.values()}
    where = _places(job, journal)
    answered = {p["point_id"]: lines.get(p["digest"]) for p in job.shard["points"]}
    missing = [point_id for point_id, line in answered.items() if line is None]
    if missing:
        raise EngineError(f"{len(missing)} points have no result, the first is {missing[0]}")
    last = {point_id: line for point_id, line in answered.items() if line is not None}
    left = ShardFolder(job.directory)
    write_table("runs", _runs(job, lines, where, calibration, computing or {}), left.table("runs"))
    write_table("metrics", _metrics(last), left.table("metrics"))
    done = [point_id for point_id, line in last.items() if line["status"] == "done"]
    note_side_files(job.directory, done)
    for table in _side_tables(shard_engine(job.shard)):
        write_table(table, _side_table(table, job.directory, done), left.table(table))
    if files := list(_files(job.directory, last)):
        write_table("files", files, left.table("files"))
    write_outcome(job.directory, _outcomes(last), str(job.image) if job.image else None)


def _places(job: ShardJob, journal: Mapping[int, JournalLine]) -> dict[str, RankPlace]:
    """Where each line was computed, by its digest."""
    spots = list(places(job, max(journal, default=-1) + 1))
    return {line["digest"]: spots[number] for number, line in journal.items()}


def _side_tables(found: Engine) -> Iterable[str]:
    """What the engine declares; of a simulator the rule expects messages and links, if empty."""
    always = SIMULATED if found.kind == "simulator" else ()
    return dict.fromkeys((*always, *found.side_tables))


def _outcomes(last: Mapping[str, JournalLine]) -> dict[str, list[str]]:
    points: dict[str, list[str]] = {"done": [], "failed": [], "skipped": []}
    for point_id, line in last.items():
        points[line["status"] if line["status"] in points else "failed"].append(point_id)
    points[FLAGGED] = [point_id for point_id, line in last.items() if line.get("flag")]
    return points


def _runs(
    job: ShardJob,
    lines: Mapping[str, JournalLine],
    where: Mapping[str, RankPlace],
    calibration: Calibration | None,
    computing: Mapping[str, MeasuredComputing],
) -> Iterable[dict[str, object]]:
    facts = machine_facts()
    version = job.shard["engine_version"]
    for point in job.shard["points"]:
        point_id = point["point_id"]
        for attempt in range(1, job.shard["attempts"].get(point_id, 1) + 1):
            line = lines.get(digest(point, version, attempt))
            if line is None:
                continue
            environment = {**facts.environment, **(line.get("environment") or {})}
            if notes := notes_of_traces(point["workload"]):
                environment["notes"] = [*(environment.get("notes") or ()), *notes]
            if calibration:
                environment["calibration"] = calibration
            if placement := point.get("placement"):
                environment["placement"] = placement
            if point_id in computing:
                environment["computing"] = computing[point_id]
            place = where[line["digest"]]
            if place.image:
                environment["image"] = place.image
            yield {
                "point_id": point_id,
                "attempt": attempt,
                "engine": job.shard["engine"],
                "engine_version": version,
                **{name: line.get(name) for name in FIELDS},
                "host": place.host,
                "image_sha256": place.image_sha256,
                "git_commit": facts.git_commit,
                "environment": json.dumps(environment, sort_keys=True),
            }


def _metrics(last: Mapping[str, JournalLine]) -> Iterable[dict[str, object]]:
    for point_id, line in last.items():
        for row in line.get("metrics") or []:
            yield {"point_id": point_id, **row, "value": float(row["value"])}


def _files(directory: Path, point_ids: Iterable[str]) -> Iterable[dict[str, object]]:
    """Files that engines leave for people rather than for tables, as rows of `files`."""
    below = Path(*directory.parts[-3:])
    for point_id in point_ids:
        for kind, name in LEFT.items():
            file = directory / name.format(point_id=point_id)
            if file.exists():
                path = (below / file.name).as_posix()
                size = file.stat().st_size
                yield {"point_id": point_id, "kind": kind, "path": path, "bytes": size}


def _rates(messages: pa.Table) -> pa.Array:
    """The rate of each message from its start to its end; null for one that takes no time."""
    # On first use: few points have this table, and every job would wait for the import.
    from pyarrow import compute as pc

    taken_s = pc.subtract(messages["finish_s"], messages["start_s"])
    known_s = pc.if_else(pc.greater(taken_s, 0.0), taken_s, None)
    return pc.divide(pc.cast(messages["bytes"], pa.float64()), known_s)


def _side_table(table: str, directory: Path, point_ids: Iterable[str]) -> pa.Table:
    """The points' CSV files as one table; points without one have no rows."""
    schema = SCHEMAS[table]
    types = csv.ConvertOptions(
        column_types={f.name: f.type for f in schema}, null_values=[""], strings_can_be_null=True
    )
    parts = [table_of([], schema)]
    for point_id in point_ids:
        path = directory / f"{table}-{point_id}.csv"
        if path.exists():
            part = csv.read_csv(path, convert_options=types)
            ids = column([point_id] * part.num_rows, pa.string())
            part = part.append_column("point_id", ids)
            if table == "messages":
                part = part.append_column(RATE, _rates(part))
            parts.append(with_all_columns(table, part))
    return pa.concat_tables(parts)

"""A shard's journal and side files as Parquet tables, and its `status.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from weft.engines.base import Engine, EngineError, ShardJob
from weft.engines.computing import MeasuredComputing
from weft.engines.computing_quality import with_spreads
from weft.engines.fitting import is_of_a_program, judged
from weft.engines.journal import JournalLine, MetricLine, numbered_lines
from weft.engines.last_words import with_last_words
from weft.engines.places import RankPlace, places
from weft.engines.printed import printed_by_point
from weft.engines.provenance import machine_facts
from weft.engines.registry import shard_engine
from weft.engines.shards import digest
from weft.engines.side_files import note_side_files
from weft.engines.side_tables import side_tables
from weft.engines.traces import notes_of_traces
from weft.files.layout import LEFT, ShardFolder
from weft.plan.outcome import FLAGGED, write_outcome
from weft.plan.spec import Calibration
from weft.tables import write_table

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
    left = ShardFolder(job.directory)
    printed = {**printed_by_point(left.printed), **printed_by_point(job.log)}
    last = with_last_words({p: line for p, line in answered.items() if line is not None}, printed)
    lines |= {line["digest"]: line for line in last.values()}
    done = [point_id for point_id, line in last.items() if line["status"] == "done"]
    engine = shard_engine(job.shard)
    tables = side_tables(job.directory, _side_tables(engine), done)
    for point_id, problem in tables.problems.items():
        done.remove(point_id)
        failed: JournalLine = {
            **last[point_id],
            "status": "failed",
            "error": problem,
            "metrics": [],
        }
        last[point_id] = lines[failed["digest"]] = failed
    for point in job.shard["points"]:
        known = (computing or {}).get(point["point_id"])
        if known and point["point_id"] in done:
            line = with_spreads(last[point["point_id"]], known.get("spreads", ()), point["options"])
            line = _flagged(line, flag) if (flag := known.get("flag")) else line
            last[point["point_id"]] = lines[line["digest"]] = line
    for point in job.shard["points"]:
        found = tables.of_points.get(point["point_id"])
        if found is not None and is_of_a_program(point, engine):
            line = judged(point, last[point["point_id"]], found)
            last[point["point_id"]] = lines[line["digest"]] = line
    write_table("runs", _runs(job, lines, where, calibration, computing or {}), left.table("runs"))
    write_table("metrics", _metrics(last), left.table("metrics"))
    note_side_files(job.directory, done)
    for table, rows in tables.tables.items():
        write_table(table, rows, left.table(table))
    if files := list(_files(job.directory, last)):
        write_table("files", files, left.table("files"))
    write_outcome(job.directory, _outcomes(last), str(job.image) if job.image else None)


def _flagged(line: JournalLine, flag: str) -> JournalLine:
    """The line of a point whose answers rest on times that are not to be trusted."""
    metrics: list[MetricLine] = [{**each, "flag": flag} for each in line.get("metrics") or []]
    return {**line, "flag": flag, "metrics": metrics}


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

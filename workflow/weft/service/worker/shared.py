"""Points that earlier tasks of this worker have simulated, by digest.

A digest names the resolved input and the engine's version, so the answer is the same. Measurements
are never shared. Nor are points with tables of their own, whose files the cache does not hold.
The cache has a bound; a journal has a copy of each line, so no task misses what leaves the cache.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weft.engines.journal import now
from weft.engines.order import PlannedPoint, ResolvedOrder
from weft.engines.printed import keep_printed, printed_by_point
from weft.engines.shards import read_shard, resolve
from weft.files import JsonObject, replace_bytes, sealed, unsealed
from weft.files.layout import ExperimentFolder, ShardFolder
from weft.plan.model import needs_calibration, needs_computing, needs_placement
from weft.plan.plan import Plan

#: The note of a point that was not computed for the task that shows it.
KNOWN = "It was known from an earlier task, and was not computed again."
#: Looking at every file takes a while: as much as this is removed at a time.
_MADE_FREE = 0.1


@dataclass(slots=True)
class PointCache:
    """A folder with a file for each point, of `most_bytes` on the disk together.

    A file has the point's journal line, and below it what its program has printed.
    """

    folder: Path
    most_bytes: int
    _held_bytes: int | None = None

    def _path(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest

    def seed(self, plan: Plan, folder: ExperimentFolder) -> int:
        """Write known points into the journals of shards that nothing has begun; returns how many.

        An engine skips points that its journal answers.
        """
        count = 0
        for order, left in _orders(plan, folder):
            if left.journal.exists() or left.status.exists():
                continue
            known = [self._known(point["digest"]) for point in order["points"]]
            found = [each for each in known if each is not None]
            if found:
                left.path.mkdir(parents=True, exist_ok=True)
                keep_printed(left, dict(found))
                replace_bytes(left.journal, "".join(line for line, _ in found).encode())
                count += len(found)
        return count

    def _known(self, digest: str) -> tuple[str, bytes] | None:
        """The line of a point as of now, and what its program has printed."""
        path = self._path(digest)
        try:
            line, _, printed = path.read_bytes().partition(b"\n")
            # Whatever is asked for stays: of a file that is only read no date changes.
            with suppress(OSError):
                os.utime(path)
            fields = unsealed(line, required=True)
            return (sealed(_marked(fields)) + "\n", printed) if fields["digest"] == digest else None
        except (OSError, ValueError, KeyError):
            return None

    def store(self, plan: Plan, folder: ExperimentFolder) -> None:
        """Keep the points that have been simulated."""
        for order, left in _orders(plan, folder):
            plain = {p["digest"] for p in order["points"] if not p["options"].get("tables")}
            printed = printed_by_point(left.log)
            for line in _lines(left):
                try:
                    fields = unsealed(line, required=True)
                except ValueError:
                    continue
                path = self._path(str(fields.get("digest")))
                computed = fields.get("status") == "done" and KNOWN not in _notes(fields)
                if computed and path.name in plain and not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    own = printed.get(str(fields.get("point_id")), b"")
                    replace_bytes(path, line + b"\n" + own)
                    if self._held_bytes is not None:
                        self._held_bytes += _bytes_of(path.stat())
        self._trim()

    def _trim(self) -> None:
        """Keep to the bound: what no task has asked for longest goes first."""
        if self._held_bytes is not None and self._held_bytes <= self.most_bytes:
            return
        found = sorted(self._files())
        self._held_bytes = sum(size for _, size, _ in found)
        if self._held_bytes <= self.most_bytes:
            return
        goal = (1 - _MADE_FREE) * self.most_bytes
        for _, size, path in found:
            if self._held_bytes <= goal:
                break
            with suppress(OSError):
                path.unlink(missing_ok=True)
                self._held_bytes -= size

    def _files(self) -> Iterator[tuple[int, int, Path]]:
        """When each was asked for last, its bytes on the disk, and where it is."""
        # What is being written has a dot before its name.
        for path in self.folder.glob("??/[!.]*"):
            # Another worker with the same folder may remove it meanwhile.
            with suppress(OSError):
                found = path.stat()
                yield found.st_mtime_ns, _bytes_of(found), path


def _marked(fields: JsonObject) -> JsonObject:
    """A point that this task begins and ends with now; the mark is all that tells."""
    environment = fields.get("environment") or {}
    notes = [*_notes(fields), KNOWN]
    return {**fields, "started_at": now(), "environment": {**environment, "notes": notes}}


def _notes(fields: JsonObject) -> list[str]:
    return [*((fields.get("environment") or {}).get("notes") or ())]


def _bytes_of(found: os.stat_result) -> int:
    """Room that a file takes: a line of some hundred bytes takes a block."""
    return max(found.st_size, found.st_blocks * 512)


def _lines(left: ShardFolder) -> list[bytes]:
    try:
        return left.journal.read_bytes().splitlines()
    except OSError:
        return []


def _orders(plan: Plan, folder: ExperimentFolder) -> Iterator[tuple[ResolvedOrder, ShardFolder]]:
    """The shards of weft's own simulators whose points need nothing that this run measures."""
    for shard in plan.shards:
        try:
            order = read_shard(folder.order(shard.shard_id))
        except (OSError, ValueError):
            continue
        declared = order.get("declared")
        if declared is None or declared["program"] != "crate" or declared["measures"]:
            continue
        if any(map(_needs_measuring, order["points"])):
            continue
        yield resolve(order, None), folder.shard(shard.engine, shard.shard_id)


def _needs_measuring(point: PlannedPoint) -> bool:
    options = point["options"]
    return (
        needs_calibration(point["network"]) or needs_placement(options) or needs_computing(options)
    )

"""Points that earlier tasks of this worker have simulated, by digest.

A digest names the resolved input and the engine's version, so the answer is the same. Measurements
are never shared. Nor are points with tables of their own, whose files the cache does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weft.engines.order import ResolvedOrder
from weft.engines.shards import read_shard, resolve
from weft.files import replace_bytes, unsealed
from weft.files.layout import ExperimentFolder, ShardFolder
from weft.plan.model import needs_calibration, needs_placement
from weft.plan.plan import Plan


@dataclass(frozen=True, slots=True)
class PointCache:
    """A folder with a journal line for each point."""

    folder: Path

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
            lines = [line for line in known if line is not None]
            if lines:
                left.path.mkdir(parents=True, exist_ok=True)
                replace_bytes(left.journal, b"".join(line + b"\n" for line in lines))
                count += len(lines)
        return count

    def _known(self, digest: str) -> bytes | None:
        try:
            line = self._path(digest).read_bytes()
            return line if unsealed(line, required=True)["digest"] == digest else None
        except (OSError, ValueError, KeyError):
            return None

    def store(self, plan: Plan, folder: ExperimentFolder) -> None:
        """Keep the points that have been simulated."""
        for order, left in _orders(plan, folder):
            plain = {p["digest"] for p in order["points"] if not p["options"].get("tables")}
            for line in _lines(left):
                try:
                    fields = unsealed(line, required=True)
                except ValueError:
                    continue
                path = self._path(str(fields.get("digest")))
                if fields.get("status") == "done" and path.name in plain and not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    replace_bytes(path, line)


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
        if any(needs_calibration(p["network"]) or needs_placement(p) for p in order["points"]):
            continue
        yield resolve(order, None), folder.shard(shard.engine, shard.shard_id)

"""What computed the rows of an archive, as `provenance.json` has it: engines, images, machines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from weft.tables import read_table

#: What `environment` says of a machine.
_OF_MACHINES = ("cpu", "cpus", "kernel", "python", "mpi_library")
#: Of archives without any run: the first moment that a ZIP holds.
_NEVER = datetime(1980, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the tables `runs` say together."""

    engines: Sequence[Mapping[str, object]]
    images: Sequence[Mapping[str, object]]
    machines: Sequence[Mapping[str, object]]
    commits: Sequence[str]
    started: datetime
    ended: datetime

    def text(self) -> str:
        """As a file holds it."""
        found = {
            "engines": self.engines,
            "images": self.images,
            "machines": self.machines,
            "git_commits": self.commits,
            "started_at": self.started.isoformat(),
            "ended_at": self.ended.isoformat(),
        }
        return json.dumps(found, indent=1, sort_keys=True) + "\n"


def run_facts(tables: Iterable[Path]) -> RunFacts:
    """The facts of the given tables `runs`."""
    rows = [row for table in tables for row in read_table("runs", table).to_pylist()]
    where = [json.loads(row["environment"] or "{}") for row in rows]
    begun = [(_moment(row["started_at"]), row["wall_s"] or 0.0) for row in rows]
    known = [(start, wall_s) for start, wall_s in begun if start is not None]
    return RunFacts(
        engines=_distinct(
            {"engine": row["engine"], "version": row["engine_version"] or ""} for row in rows
        ),
        images=_distinct(
            {"image": str(each.get("image") or ""), "squashfs_sha256": row["image_sha256"] or ""}
            for row, each in zip(rows, where, strict=True)
            if row["image_sha256"] or each.get("image")
        ),
        machines=_distinct(
            {"host": row["host"]} | {key: each[key] for key in _OF_MACHINES if key in each}
            for row, each in zip(rows, where, strict=True)
        ),
        commits=sorted({row["git_commit"] for row in rows if row["git_commit"]}),
        started=min((start for start, _ in known), default=_NEVER),
        ended=max((start + timedelta(seconds=s) for start, s in known), default=_NEVER),
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _distinct(found: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    texts = {json.dumps(each, sort_keys=True) for each in found}
    return [json.loads(text) for text in sorted(texts)]

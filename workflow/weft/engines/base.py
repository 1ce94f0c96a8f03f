"""What an engine is to the rest of weft: a version, and points turned into journal lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from weft.engines.order import ResolvedOrder
from weft.files.layout import JOURNAL
from weft.machine import MachineFile

#: Tables that a run leaves as `<table>-<point_id>.csv` beside its journal (columns as in
#: `weft.tables.SCHEMAS`, without `point_id`); the caller turns them into Parquet.
SIDE_TABLES = (
    "samples", "messages", "links", "link_flows", "job_links", "nodes", "buffers", "series",
    "calls", "rank_pairs", "rank_timeline", "critical_path", "congestion",
)  # fmt: skip


class EngineError(Exception):
    """An engine cannot run at all: one line that says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class ShardJob:
    """What one run shall do.

    `shard` is the resolved shard (`engine`, `engine_version`, `points`), as written to
    `shard_file`; `directory` keeps the journal and the side tables of earlier attempts. With an
    `image` the engine's programs are those inside it.
    """

    shard: ResolvedOrder
    shard_file: Path
    directory: Path
    threads: int
    log: Path
    image: Path | None = None
    machine: MachineFile = field(default_factory=MachineFile)

    @property
    def journal(self) -> Path:
        """The file to which a run appends one line per finished point."""
        return self.directory / JOURNAL


class Engine(Protocol):
    """One way to answer points.

    `run` appends to the journal one JSON object per finished point: `point_id`, `digest`,
    `status` (`done`, `failed`, or `skipped` where the machine lacks a program), `error`,
    `started_at`, `wall_s`, `cpu_s`, `peak_rss_bytes`, `metrics` (a list of `metric,
    message_bytes, value, unit`) and, if known, `log` (the last lines of a failed point) and
    `environment` (an object), sealed as `weft.engines.journal.append` does it. It skips points
    whose digest the journal holds (`weft.engines.journal.finished`), and returns normally when
    single points failed or were skipped. It raises EngineError when the process broke.
    """

    name: str
    kind: Literal["simulator", "hardware"]
    #: Tables beside `runs` and `metrics` that this engine may fill.
    side_tables: tuple[str, ...]
    #: The image with its programs; None if it never runs in one.
    image: str | None

    def describe(self) -> Mapping[str, object]:
        """`name`, `version` and what the engine supports; raises EngineError if missing."""

    def version(self, machine: MachineFile, image: str | None) -> str:
        """What a plan made now shall name its shards by: results of another version do not count.

        `image` is the file name of the image that will be used. Raises EngineError when the
        version is unknown.
        """

    def run(self, job: ShardJob) -> None:
        """Compute the job's points that its journal does not hold yet."""

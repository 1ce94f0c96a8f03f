"""What finished shards left on the disk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from weft.plan.model import Plan
from weft.tables import SCHEMAS, has_other_columns


@dataclass(frozen=True, slots=True)
class FinishedShard:
    """A shard's tables by name, and which of its points were answered.

    `flagged` ones are done, on a machine that was too busy.
    """

    tables: Mapping[str, Path]
    done: tuple[str, ...]
    failed: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()


def finished_shards(plan: Plan, results: Path) -> Iterator[FinishedShard]:
    """The plan's shards that have a `status.json`.

    Raises ValueError, saying what to delete, when a file of such a shard is damaged.
    """
    for shard in plan.shards:
        folder = results / plan.experiment / shard.engine / shard.shard_id
        status = folder / "status.json"
        if status.exists():
            answered = _status(status)
            tables = {t: p for t in SCHEMAS if (p := folder / f"{t}.parquet").exists()}
            for table, path in tables.items():
                check_table(table, path)
            done, failed = tuple(answered["done"]), tuple(answered["failed"])
            skipped, flagged = (tuple(answered.get(name, ())) for name in ("skipped", "flagged"))
            yield FinishedShard(tables, done, failed, skipped, flagged)


def _status(path: Path) -> Mapping[str, list[str]]:
    try:
        status: dict[str, list[str]] = json.loads(path.read_text())
    except ValueError as error:
        raise ValueError(f"{path} is damaged ({error}); {_remedy(path)}") from error
    return status


def check_table(table: str, path: Path) -> None:
    """Raise ValueError unless `path` is a whole Parquet file with the columns of `table`."""
    try:
        names = pq.read_schema(path).names
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(
            f"{path} is truncated or not a Parquet file ({reason}); {_remedy(path)}"
        ) from error
    if has_other_columns(table, names):
        raise ValueError(f"{path} has other columns than table {table}; {_remedy(path)}")


def _remedy(path: Path) -> str:
    return f"delete the folder {path.parent} and run the same command again"

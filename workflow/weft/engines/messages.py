"""Message lists that users bring: a Parquet file becomes the CSV that simulators read."""

from __future__ import annotations

from pathlib import Path

from weft.engines.base import EngineError
from weft.engines.order import ResolvedOrder, ResolvedPoint

COLUMNS = ("src", "dst", "bytes", "start_s", "start")
NEEDED = COLUMNS[:3]


def prepare_messages(order: ResolvedOrder, directory: Path) -> ResolvedOrder:
    """The order with every Parquet message list replaced by a CSV in `directory`."""
    return {**order, "points": [_prepared(point, directory) for point in order["points"]]}


def _prepared(point: ResolvedPoint, directory: Path) -> ResolvedPoint:
    file = point["workload"].get("file")
    if file is None or not str(file).endswith(".parquet"):
        return point
    target = directory / f"workload-{point['workload'].get('file_sha256', 'list')[:12]}.csv"
    parquet_to_csv(Path(file), target)
    return {**point, "workload": {**point["workload"], "file": str(target)}}


def parquet_to_csv(source: Path, target: Path) -> None:
    """Write the message list `source` as CSV.

    Raises EngineError when it cannot be read or lacks a column.
    """
    import pyarrow as pa
    from pyarrow import csv, parquet

    try:
        table = parquet.read_table(source, partitioning=None)
    except (pa.ArrowInvalid, OSError) as error:
        raise EngineError(f"{source} is not a readable Parquet file: {error}") from error
    missing = [name for name in NEEDED if name not in table.column_names]
    if missing:
        raise EngineError(f"{source} lacks the columns {', '.join(missing)}")
    csv.write_csv(table.select([c for c in COLUMNS if c in table.column_names]), target)

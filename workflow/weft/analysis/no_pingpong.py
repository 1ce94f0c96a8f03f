"""Why there is no measured ping-pong to calibrate from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weft.tables.storage import read_table


def no_pingpong(metrics: Sequence[Path], metric: str) -> str:
    """The failed point with its reason and log, if the runs beside `metrics` have one."""
    missing = f"no measured ping-pong ({metric}) to calibrate from"
    failed = [(row, path) for path in metrics for row in _failed(path.with_name("runs.parquet"))]
    if not failed:
        return f"{missing} in {', '.join(map(str, metrics)) or 'no tables'}"
    row, path = next((each for each in failed if _is_pingpong(each[0])), failed[0])
    more = f" (and {len(failed) - 1} more failed)" if len(failed) > 1 else ""
    return (
        f"{missing}: point {row['point_id']} failed: {row['error'] or 'no reason was recorded'}"
        f"{more}; see {path.with_name('run.log')}, correct it, and run the same command again with "
        "retry_failed=true behind --config"
    )


def _failed(runs: Path) -> list[dict[str, object]]:
    """The points whose last attempt failed."""
    if not runs.is_file():
        return []
    rows = sorted(read_table("runs", runs).to_pylist(), key=lambda row: row["attempt"])
    last = {row["point_id"]: row for row in rows}
    return [row for row in last.values() if row["status"] == "failed"]


def _is_pingpong(row: dict[str, object]) -> bool:
    """Whether the launch or its message names the program; some fail before either."""
    return "pingpong" in f"{row['error']} {row['environment']}"

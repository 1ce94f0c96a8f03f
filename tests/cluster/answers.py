"""What two databases must have in common."""

from pathlib import Path
from typing import Any

import duckdb

#: What differs from machine to machine and from run to run.
VOLATILE = {
    "runs": {
        "log",
        "wall_s",
        "cpu_s",
        "peak_rss_bytes",
        "host",
        "image_sha256",
        "git_commit",
        "started_at",
        "environment",
    }
}


def answers(project: Path, experiment: str) -> dict[str, list[tuple[Any, ...]]]:
    """Rows of an experiment that depend on nothing but its questions, by table, in order."""
    with duckdb.connect(str(project / "results" / "weft.duckdb"), read_only=True) as con:
        return {
            table: con.execute(
                f"SELECT {_columns(con, table)} FROM {table} WHERE experiment = ? ORDER BY ALL",
                [experiment],
            ).fetchall()
            for table in ("points", "runs", "metrics")
        }


def _columns(con: duckdb.DuckDBPyConnection, table: str) -> str:
    shown = [row[0] for row in con.execute(f"DESCRIBE {table}").fetchall()]
    return ", ".join(f'"{name}"' for name in shown if name not in VOLATILE.get(table, set()))

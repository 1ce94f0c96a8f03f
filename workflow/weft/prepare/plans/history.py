"""What earlier runs cost, from the database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from weft.database.sql import Row
from weft.files.layout import Results
from weft.plan.costs import SHORTEST_S, Costs, Observed, kind, work
from weft.plan.model import PARTS
from weft.plan.spec import PointSpec

#: Parameters that decide what a point costs, in the order of the query's columns.
KEYS = (
    "topology.kind", "topology.nodes", "workload.kind", "workload.program", "workload.ranks",
    "workload.per_node", "workload.message_bytes", "workload.injection_rate", "workload.search",
    "options.model", "options.measure_cycles", "options.warmup_cycles", "options.packet_flits",
    "options.flit_bytes", "options.stack_bytes", "topology.sizes", "topology.levels",
    "topology.dimensions", "network.packet.mtu_bytes", "network.packet.header_bytes",
)  # fmt: skip
PACKET = "network.packet"
#: Parameters that are lists, which the database holds as texts.
LISTS = ("message_bytes", "sizes")


def learned_costs(results: Path, experiment: str) -> Costs:
    """Estimates from all experiments that `results/weft.duckdb` holds; empty without one."""
    database = Results(results).database
    return Costs(experiment, _observed(database) if database.exists() else [])


def _observed(database: Path) -> list[Observed]:
    import duckdb

    try:
        with duckdb.connect(str(database), read_only=True) as con:
            present = {
                row[0]
                for row in con.execute(
                    "SELECT name FROM pragma_table_info('parameters')"
                ).fetchall()
            }
            columns = ", ".join(f'p."{key}"' if key in present else "NULL" for key in KEYS)
            rows = con.execute(
                f"SELECT experiment, r.engine, {columns}, count(*),"
                f" avg(ln(greatest(wall_s, {SHORTEST_S}))), coalesce(max(peak_rss_bytes), 0)"
                " FROM runs AS r JOIN parameters AS p USING (experiment, point_id)"
                " WHERE status = 'done' AND wall_s IS NOT NULL GROUP BY ALL ORDER BY ALL"
            ).fetchall()
    except duckdb.Error:
        # Estimates are optional: weft goes on without a database that it cannot read.
        return []
    return [_row(row) for row in rows]


def _row(row: Row) -> Observed:
    experiment, engine, *values, count, log_seconds, memory = row
    parts: dict[str, dict[str, object]] = {name: {} for name in (*PARTS, PACKET)}
    for key, value in zip(KEYS, values, strict=True):
        part, _, name = key.rpartition(".")
        if value is not None:
            listed = name in LISTS and isinstance(value, str)
            parts[part][name] = json.loads(value) if listed else value
    parts["network"]["packet"] = parts.pop(PACKET)
    spec = cast("PointSpec", {"engine": engine, **parts})
    return Observed(experiment, kind(spec), work(spec), count, log_seconds, float(memory))

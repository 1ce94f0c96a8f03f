"""Small and large databases in the documented shape, without any simulator."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from weft.config.model.engine import declared_engines
from weft.database.contents import create_tables
from weft.database.contents import write as write_rows
from weft.database.found import Collected
from weft.database.published import published_rows
from weft.plan import Plan, Point, Points, short_digest, write_plan
from weft.report.html.compressed_text import unpacked

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"
Row = dict[str, Any]
ENGINES = {
    name: {"fidelity": engine.fidelity, "leaves_out": []}
    for name, engine in declared_engines(CONFIGS).items()
}


def point(engine: str, coordinates: Mapping[str, Any], spec: Row, replicate: int = 0) -> Point:
    full = {"engine": engine, **spec, "seed": replicate}
    return Point(short_digest(full), engine, replicate, replicate, full, coordinates)


def make_plan(name: str, points: Sequence[Point], figures: list[Row], **more: Any) -> Plan:
    title, question = more.pop("title", name), more.pop("question", "Is it so?")
    report = {"figures": figures, "engines": ENGINES}
    return Plan(name, title, question, Points.of(points), (), stored_report=report, **more)


def run(at: Point, status: str = "done", **more: Any) -> Row:
    return {
        "point_id": at.point_id, "attempt": 1, "engine": at.engine, "engine_version": "0.1.0",
        "status": status, "error": None, "log": None, "wall_s": 0.02, "cpu_s": 0.018,
        "peak_rss_bytes": 12_000_000, "host": "node1", "image_sha256": None,
        "git_commit": "abc1234", "started_at": "2026-01-02T03:04:05Z",
        "environment": json.dumps({"mpi": "MPICH 4.3", "clock_resolution_s": 1e-9}), **more,
    }  # fmt: skip


def write(folder: Path, plans: Sequence[Plan], tables: Mapping[str, Sequence[Row]]) -> Path:
    """Plans below `folder/results` and the database beside them; rows need `experiment`."""
    results = folder / "results"
    results.mkdir(parents=True, exist_ok=True)
    for plan in plans:
        write_plan(plan, results / plan.experiment / "plan.json")
    database = results / "weft.duckdb"
    database.unlink(missing_ok=True)
    found = [Collected(plan, ()) for plan in plans]
    with duckdb.connect(str(database)) as con:
        create_tables(con)
        write_rows(con, found, list(published_rows(CONFIGS / "paper")))
        for name, rows in tables.items():
            if rows:
                con.register("incoming", pa.Table.from_pylist(list(rows)))
                con.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming")
                con.unregister("incoming")
    return database


def quickstart(folder: Path) -> tuple[Path, Path]:
    """A flow prediction beside a measurement over message sizes, with one failed point."""
    rng = random.Random(7)
    spec: Row = {"topology": {"kind": "crossbar", "nodes": 2}, "network": {"latency_s": 1e-6},
                 "workload": {"kind": "program", "program": "pingpong", "ranks": 2},
                 "options": {}}  # fmt: skip
    flow, hardware = point("flow", {}, spec), point("hardware", {}, spec)
    broken = point("flow", {}, {**spec, "options": {"model": "max_min"}})
    sizes = [0, *(2**i for i in range(23))]
    metrics, samples = [], []
    for size in sizes:
        true = 4e-7 + size / 8e9
        metrics.append({"point_id": flow.point_id, "metric": "one_way_time_s",
                        "message_bytes": size, "value": true, "unit": "s"})  # fmt: skip
        values = sorted(true * (1 + 0.2 * rng.random() + (size > 8192) * 0.3) for _ in range(60))
        metrics.append({"point_id": hardware.point_id, "metric": "one_way_time_s",
                        "message_bytes": size, "value": values[30], "unit": "s"})  # fmt: skip
        samples += [{"point_id": hardware.point_id, "metric": "one_way_time_s", "repetition": i,
                     "message_bytes": size, "value": v, "unit": "s"}
                    for i, v in enumerate(values)]  # fmt: skip
    log = "\n".join(f"line {i}" for i in range(50)) + "\nout of <memory>"
    facts = {"hosts": ["node1", "node2"], "mode": "hybrid", "image": "hardware-0123456789ab.sif",
             "mpi_library": "MPICH Version:      4.2.1", "switch_distance": 1,
             "fabric": {"node1": "eth0 10000 Mbit/s", "node2": "eth0 10000 Mbit/s"}}  # fmt: skip
    runs = [run(flow), run(hardware, cpu_s=4.1, wall_s=2.2, image_sha256="ab" * 32,
                           environment=json.dumps(facts)),
            run(broken, "failed", error="exit code 1", log=log)]  # fmt: skip
    figures = [
        {"line": {"x": "message_bytes", "y": "one_way_time_s", "log_x": True, "log_y": True}},
        {"ratio": {"x": "message_bytes", "of": "flow", "to": "hardware", "y": "one_way_time_s",
                   "log_x": True}},
        {"table": {"x": "message_bytes", "y": "one_way_time_s"}},
    ]  # fmt: skip
    plan = make_plan("quickstart", [flow, hardware, broken], figures,
                     title="Prediction beside measurement",
                     question="How well does a flow-level model predict a ping-pong?",
                     overrides=("topology.nodes=2",))  # fmt: skip
    rows = {"runs": runs, "metrics": metrics, "samples": samples}
    tables = {k: [{"experiment": "quickstart", **r} for r in v] for k, v in rows.items()}
    return folder / "results/quickstart/plan.json", write(folder, [plan], tables)


def mfs(folder: Path, variant: str = "") -> tuple[list[Path], Path]:
    """Table 1 and Figures 8 and 9 with invented answers near the published ones.

    `variant` ends the names of the experiments, as in `mfs_atr@quick`.
    """
    rng = random.Random(3)
    points, metrics = [], []
    for k in (16, 18, 20, 22, 26, 30, 34, 36):
        for seed in range(5):
            spec = {"topology": {"kind": "fat_tree", "k": k, "levels": 3, "routing": "dmodk"},
                    "workload": {"pattern": "uniform"}, "network": {}, "options": {}}  # fmt: skip
            at = point("flow", {"topology.k": k}, spec, seed)
            points.append(at)
            metrics.append(
                (f"mfs_table1{variant}", at, "makespan_s", rng.gauss(34.4e-6, 0.6e-6), "s")
            )
    table1 = make_plan(f"mfs_table1{variant}", points, [
        {"line": {"x": "topology.k", "y": "makespan_s", "published": "mfs/table1"}},
        {"bar": {"x": "topology.k", "y": "cpu_s"}},
    ], title="Table 1 of the MFS paper", question="Do we meet Table 1?")  # fmt: skip
    atr = []
    for kind in ("mesh", "torus"):
        for k in range(2, 13):
            spec = {"topology": {"kind": kind, "k": k, "dimensions": 2},
                    "workload": {"pattern": "tornado"}, "network": {}, "options": {}}  # fmt: skip
            at = point("flow", {"topology.kind": kind, "topology.k": k}, spec)
            atr.append(at)
            rate = 1 / max(1, k // 2 - 1)
            metrics.append((f"mfs_atr{variant}", at, "accepted_rate", rate, "1"))
    figures = [{"line": {"x": "topology.k", "y": "accepted_rate", "published": f"mfs/{item}",
                         "where": {"topology.kind": kind}, "title": f"Tornado, {kind}"}}
               for item, kind in (("figure8", "mesh"), ("figure9", "torus"))]  # fmt: skip
    figures.append({"line": {"x": "topology.k", "y": "accepted_rate", "row": "topology.kind"}})
    title = "Accepted rate at saturation"
    plans = [table1, make_plan(f"mfs_atr{variant}", atr, figures, title=title)]
    rows: list[Row] = [
        {"experiment": e, "point_id": p.point_id, "metric": m, "message_bytes": None, "value": v,
         "unit": u} for e, p, m, v, u in metrics
    ]  # fmt: skip
    runs = [{"experiment": p.experiment, **run(at)} for p in plans for at in p.points]
    database = write(folder, plans, {"metrics": rows, "runs": runs})
    return [folder / f"results/{p.experiment}/plan.json" for p in plans], database


def large(folder: Path, count: int = 10_000) -> tuple[Path, Path]:
    """`count` points: 500 values of x, two patterns, replicates; four metrics each."""
    rng = random.Random(1)
    points = []
    for i in range(count):
        x, pattern, seed = i % 500, ("uniform", "tornado")[i // 500 % 2], i // 1000
        spec = {"topology": {"kind": "mesh", "k": x}, "network": {"latency_s": 0.0},
                "workload": {"pattern": pattern}, "options": {}}  # fmt: skip
        where = {"topology.k": x, "workload.pattern": pattern}
        points.append(point("flow", where, spec, seed))
    names = ("makespan_s", "accepted_rate", "message_time_mean_s", "message_time_max_s")
    metrics = [
        {"experiment": "large", "point_id": p.point_id, "metric": name, "message_bytes": None,
         "value": 1 + p.spec["topology"]["k"] / 100 + rng.random(), "unit": "s"}
        for p in points for name in names
    ]  # fmt: skip
    figures = [{"line": {"x": "topology.k", "y": n, "color": "workload.pattern"}} for n in names]
    runs = [{"experiment": "large", **run(p)} for p in points]
    database = write(
        folder, [make_plan("large", points, figures)], {"metrics": metrics, "runs": runs}
    )
    return folder / "results/large/plan.json", database


def downloads(page: Path) -> list[str]:
    """The CSV files that a page holds."""
    found = re.findall(r'href="data:application/gzip;base64,([^"]+)"', page.read_text())
    return [unpacked(each) for each in found]

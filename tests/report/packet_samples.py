"""Databases with two engines and variants of one of them, in the documented shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import report_samples
from report_samples import make_plan, point, run
from weft.config import load_experiments
from weft.plan import Plan, expand

Row = dict[str, Any]
VARIANTS = {
    "family A": {"options.vc_buffer_flits": 2},
    "VOQ": {"options.virtual_channels": "per_destination"},
    "family B": {"options.vc_buffer_flits": 5},
}


def value(at: Any, metric: str, number: float, unit: str = "1", size: int | None = None) -> Row:
    return {"point_id": at.point_id, "metric": metric, "value": number, "unit": unit,
            "message_bytes": size}  # fmt: skip


def stored(folder: Path, plan: Plan, metrics: list[Row], runs: list[Row]) -> tuple[Path, Path]:
    rows = {"metrics": metrics, "runs": runs}
    tables = {k: [{"experiment": plan.experiment, **r} for r in v] for k, v in rows.items()}
    database = report_samples.write(folder, [plan], tables)
    return folder / f"results/{plan.experiment}/plan.json", database


def families(folder: Path, figures: list[Row]) -> tuple[Path, Path]:
    """Tornado on a torus: flow, and packet with three variants; each rate shows its variant."""
    points, metrics = [], []
    for k in (4, 6, 8):
        base: Row = {"topology": {"kind": "torus", "k": k}, "network": {},
                     "workload": {"kind": "traffic", "pattern": "tornado"}}  # fmt: skip
        flow = point("flow", {"topology.k": k}, {**base, "options": {}})
        points.append(flow)
        metrics.append(value(flow, "accepted_rate", 1.0))
        for buffer, channels, rate in ((2, 2, 0.2), (5, 2, 0.5), (5, "per_destination", 0.8)):
            options = {"vc_buffer_flits": buffer, "virtual_channels": channels, "packet_flits": 40,
                       "speculative": buffer == 5}  # fmt: skip
            where = {"topology.k": k, "options.vc_buffer_flits": buffer,
                     "options.virtual_channels": channels,
                     "options.speculative": buffer == 5}  # fmt: skip
            at = point("packet", where, {**base, "options": options})
            points.append(at)
            metrics += [value(at, "accepted_rate", rate),
                        value(at, "accepted_rate_min", rate / 2),
                        value(at, "accepted_rate_max", rate + 0.1)]  # fmt: skip
    plan = make_plan("families", points, figures)
    variants = [list(each) for each in VARIANTS.items()]
    plan = replace(plan, stored_report={**plan.stored_report, "variants": variants})
    return stored(folder, plan, metrics, [run(at) for at in points])


def fidelity(folder: Path, rows: Sequence[str] = ("topology.kind",)) -> tuple[Path, Path]:
    """Flow beside packet over loads: equal below 0.5, twice as high at 1 under tornado.

    `rows` are the keys down the maps.
    """
    points, metrics, runs = [], [], []
    for pattern in ("uniform", "tornado"):
        for kind in ("mesh", "torus"):
            for load in (0.1, 0.4, 1.0):
                for engine in ("flow", "packet"):
                    spec: Row = {
                        "topology": {"kind": kind, "k": 4}, "network": {}, "options": {},
                        "workload": {"kind": "traffic", "pattern": pattern,
                                     "injection_rate": load},
                    }  # fmt: skip
                    where = {"topology.kind": kind, "workload.pattern": pattern,
                             "workload.injection_rate": load}  # fmt: skip
                    at = point(engine, where, spec)
                    points.append(at)
                    off = engine == "flow" and load == 1.0 and pattern == "tornado"
                    metrics.append(value(at, "accepted_rate", load / 2 * (2 if off else 1)))
                    runs.append(run(at, cpu_s=0.01 if engine == "flow" else 1.0))
    fields: Row = {"x": "workload.injection_rate", "y": [*rows], "row": "workload.pattern"}
    figures: list[Row] = [
        {"map": {**fields, "value": "accepted_rate", "of": "flow", "to": "packet", "within": 0.05}},
        {"map": {**fields, "value": "cpu_s", "of": "packet", "to": "flow"}},
        {"map": {**fields, "value": "accepted_rate", "where": {"engine": "flow"}}},
    ]
    return stored(folder, make_plan("fidelity", points, figures), metrics, runs)


def loads(
    folder: Path,
    figures: list[Row],
    failed: bool = False,
    engines: tuple[str, ...] = ("flow", "packet"),
    answer: tuple[Row, ...] = (),
    torus_saturates: float = 0.4,
) -> tuple[Path, Path]:
    """Flow and packet over loads of two topologies; packet saturates at 0.3, on a torus at 0.4.

    Topologies vary as a whole, under the key `topology`, and zipped with `topology.k`.
    """
    points, metrics, runs = [], [], []
    for engine in engines:
        for kind, k in (("torus", 6), ("mesh", 8)):
            for load in (0.1, 0.2, 0.3, 0.4):
                spec: Row = {"topology": {"kind": kind, "k": k}, "options": {},
                             "network": {},
                             "workload": {"kind": "traffic", "injection_rate": load}}  # fmt: skip
                where = {"topology": kind, "topology.k": k, "workload.injection_rate": load}
                at = point(engine, where, spec)
                points.append(at)
                if failed:
                    runs.append(run(at, "failed", error="exit code 3."))
                    continue
                runs.append(run(at))
                metrics.append(value(at, "accepted_rate", load * (2 if engine == "flow" else 1)))
                metrics.append(value(at, "cycle_s", 1e-9, "s"))
                if engine == "packet":
                    saturated = load >= (torus_saturates if kind == "torus" else 0.3)
                    metrics.append(value(at, "saturated", float(saturated)))
                    if not saturated:
                        cycles = 12 + 50 * load
                        metrics.append(value(at, "packet_latency_mean_cycles", cycles, "cycle"))
    plan = make_plan("loads", points, figures)
    plan = replace(plan, stored_report={**plan.stored_report, "answer": [*answer]})
    return stored(folder, plan, metrics, runs)


def _of_routers(at: Any, number: int) -> list[Row]:
    """Invented values of what programs report, for each message size."""
    metrics = ("round_trip_time_s", "head_time_s", "delay_mean_s")
    sizes = at.spec["workload"]["message_bytes"]
    return [value(at, metric, 1e-5 + 1e-7 * number, "s", n) for metric in metrics for n in sizes]


def shipped(folder: Path, configs: Path, names: tuple[str, ...]) -> tuple[list[Path], Path]:
    """The points of shipped experiments, each with invented values of every metric of claims."""
    plans, rows, runs = [], [], []
    for experiment in load_experiments(configs, names):
        points = expand(experiment)
        plans.append(make_plan(experiment.name, points, []))
        for number, at in enumerate(points):
            known = {"experiment": experiment.name}
            for metric in (
                "accepted_rate", "accepted_rate_min", "hops_mean", "makespan_s", "program_time_s",
            ):  # fmt: skip
                rows.append({**known, **value(at, metric, 0.5 + 0.001 * (number % 97))})
            if at.engine == "anet":
                rows += [{**known, **row} for row in _of_routers(at, number)]
            if at.spec["workload"].get("program") == "group_multicast":
                sizes, name = at.spec["workload"]["message_bytes"], "multicast_time_s"
                times = [value(at, name, 1e-5 + 1e-7 * number, "s", n) for n in sizes]
                rows += [{**known, **row} for row in times]
            runs.append({**known, **run(at, peak_rss_bytes=1_000_000 + number)})
    database = report_samples.write(folder, plans, {"metrics": rows, "runs": runs})
    return [folder / f"results/{plan.experiment}/plan.json" for plan in plans], database

"""A database of one all-to-all with every side table that the network's graphs need."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import report_samples
from report_samples import make_plan, point, run

Row = dict[str, Any]
GRAPHS = (
    "network_latency", "link_throughput", "buffer_utilisation", "communication_latency",
    "link_distribution", "congestion_ratio",
)  # fmt: skip
FIGURES: list[Row] = [*({"timeline": {"graph": g}} for g in GRAPHS), {"congestion": {"count": 5}}]
CLASSES = ("x+", "x-", "y+", "y-")
INTERVAL = 1e-6


def _values(i: int) -> list[tuple[str, str | None, float, str]]:
    pulse = i % 8 == 0
    busy = {"x+": 4e9 if pulse else 2e9, "x-": 0.0 if pulse else 2e9, "y+": 1e9, "y-": 1e9}
    found = [("link_throughput_peak_bytes_per_s", name, 4.5e9, "B/s") for name in busy]
    found += [("link_throughput_bytes_per_s", name, rate, "B/s") for name, rate in busy.items()]
    shares = [0.5, 0.3, 0.2] if pulse else [0.8, 0.1, 0.1]
    names = ("0–10 %", "10–20 %", "90–100 %")
    found += [("link_share", name, x, "1") for name, x in zip(names, shares, strict=True)]
    latency = 2e-6 * (1 + math.sin(i / 5) ** 2)
    if i not in (20, 21):
        found.append(("network_latency_s", None, latency, "s"))
    found += [("communication_latency_s", None, 3 * latency, "s"),
              ("buffer_utilisation", None, 0.4 if pulse else 0.1, "1"),
              ("congestion_ratio", None, 0.6 if pulse else 0.2, "1")]  # fmt: skip
    return found


def alltoall(
    folder: Path,
    figures: list[Row],
    intervals: int = 64,
    eager: tuple[int, ...] = (16384,),
    name: str = "alltoall",
    finer: int = 1,
) -> tuple[Path, Path]:
    """A point for each eager limit; each has `intervals` intervals of 1 us and a history.

    Every eighth interval is a pulse of x; with `finer` each is as many intervals long.
    """
    points, rows = [], {"runs": [], "metrics": [], "series": [], "congestion": [], "files": []}
    for limit in eager:
        spec: Row = {
            "topology": {"kind": "torus", "sizes": [4, 4]}, "network": {},
            "workload": {"kind": "program", "program": "alltoall_pairwise", "ranks": 16},
            "options": {"tables": ["series", "congestion", "history"], "eager_limit_bytes": limit},
        }  # fmt: skip
        at = point("rdma", {"options.eager_limit_bytes": limit} if len(eager) > 1 else {}, spec)
        points.append(at)
        rows["runs"].append(run(at))
        rows["metrics"].append({"point_id": at.point_id, "metric": "program_time_s",
                                "message_bytes": 65536, "value": 6.4e-5, "unit": "s"})  # fmt: skip
        for i in range(intervals):
            rows["series"] += [
                {"point_id": at.point_id, "metric": metric, "label": label, "value": value,
                 "unit": unit, "start_s": i * INTERVAL, "end_s": (i + 1) * INTERVAL}
                for metric, label, value, unit in _values(i // finer)
            ]  # fmt: skip
        rows["congestion"] += [
            {"point_id": at.point_id, "router": r, "port": CLASSES[r % 4], "link": f"r{r}",
             "blocked_s": (16 - r) * 1e-6, "blocked_share": (16 - r) / 64, "packets_blocked": 9}
            for r in range(16)
        ]  # fmt: skip
        rows["files"].append({"point_id": at.point_id, "kind": "history", "bytes": 4096,
                              "path": f"{name}/rdma/s/history-{at.point_id}.json"})  # fmt: skip
    plan = make_plan(name, points, figures, title="An all-to-all")
    tables = {k: [{"experiment": name, **r} for r in v] for k, v in rows.items()}
    database = report_samples.write(folder, [plan], tables)
    return folder / f"results/{name}/plan.json", database

"""Names of series that were published or derived: as those of ours."""

from __future__ import annotations

from pathlib import Path

import report_samples
from weft.report.curves.rows import figure_data
from weft.report.data.source import open_study

LATENCY = "network.software.put_s"


def test_a_series_of_others_has_the_unit_of_ours(tmp_path: Path) -> None:
    line = {"x": "workload.ranks", "y": "program_time_s", "published": "nsim_ace/figure3"}
    points, metrics = [], []
    for latency_s in (8e-7, 1e-6, 1.2e-6):
        for ranks in (2, 3):
            spec = {
                "network": {"software": {"put_s": latency_s}},
                "workload": {"kind": "program", "program": "barrier_ring", "ranks": ranks},
                "options": {"ranks_per_node": 1},
            }
            at = report_samples.point("rdma", {LATENCY: latency_s, "workload.ranks": ranks}, spec)
            points.append(at)
            metrics.append((at.point_id, latency_s))
    name = "nsim_ace_barrier"
    plan = report_samples.make_plan(name, points, [{"line": {**line, "color": LATENCY}}])
    tables = {
        "metrics": [
            {"experiment": name, "point_id": point_id, "metric": "program_time_s"}
            | {"message_bytes": None, "value": value, "unit": "s"}
            for point_id, value in metrics
        ],
        "runs": [{"experiment": name, **report_samples.run(at)} for at in points],
    }
    database = report_samples.write(tmp_path, [plan], tables)
    path = tmp_path / f"results/{name}/plan.json"
    with open_study(path, database, report_samples.CONFIGS) as study:
        rows = figure_data(study, study.plan.report.figures[0]).rows
    last = {row.kind: row.series for row in rows}
    assert last == {"answer": "Node latency 1,200 ns", "derived": "closed form · 1,200 ns"}

"""Filters on settings that are lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_samples import CONFIGS, make_plan, point, run
from report_samples import write as stored
from weft.report.data.source import open_study

KEY = "workload.arguments"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "found"),
    [
        (["a"], [1.0]),
        ([["a"]], [1.0]),
        (["b", "8"], [2.0]),
        ([["a"], ["b", "8"]], [1.0, 2.0]),
        ([["b"]], []),
    ],
)
def test_a_list_is_chosen_as_a_whole(tmp_path: Path, where: object, found: list[float]) -> None:
    asked = (["a"], ["b", "8"])
    points = [point("rdma", {KEY: each}, {"workload": {"arguments": each}}) for each in asked]
    metrics = [
        {"experiment": "x", "point_id": at.point_id, "metric": "makespan_s",
         "message_bytes": None, "value": i + 1.0, "unit": "s"}
        for i, at in enumerate(points)
    ]  # fmt: skip
    runs = [{"experiment": "x", **run(at)} for at in points]
    plan = make_plan("x", points, [])
    database = stored(tmp_path, [plan], {"metrics": metrics, "runs": runs})
    with open_study(tmp_path / "results/x/plan.json", database, CONFIGS) as study:
        rows = study.means("makespan_s", [KEY], {KEY: where})
        assert sorted(row.mean for row in rows) == found
        assert len(study.chosen({KEY: where})) == len(found)

"""Which runs count, and that means are the same each time."""

from __future__ import annotations

from pathlib import Path

import duckdb
from report_samples import CONFIGS, make_plan, point, run
from report_samples import write as stored
from weft.report.data.source import open_study

#: Values of one point: more than one thread of DuckDB takes at once.
MANY = 1_000_000


def test_done_runs_count_before_failed_ones_and_late_ones_before_early_ones(
    tmp_path: Path,
) -> None:
    first, second, third = (point("flow", {}, {"options": {"n": n}}) for n in range(3))
    removed = point("flow", {}, {"options": {"n": 3}})
    plan = make_plan("tries", [first, second, third], [])
    runs = [
        run(first, "failed"),
        run(second, cpu_s=1.0),
        run(second, "failed", attempt=2),
        run(third, cpu_s=2.0),
        run(third, cpu_s=3.0, attempt=2),
        run(removed),
    ]
    database = stored(tmp_path, [plan], {"runs": [{"experiment": "tries", **row} for row in runs]})
    with open_study(tmp_path / "results/tries/plan.json", database, CONFIGS) as study:
        found = study.query("SELECT point_id, status, attempt FROM final_runs")
        costs = study.query("SELECT point_id, value FROM measured WHERE metric = 'cpu_s'")
    assert {row["point_id"]: (row["status"], row["attempt"]) for row in found} == {
        first.point_id: ("failed", 1),
        second.point_id: ("done", 1),
        third.point_id: ("done", 2),
    }
    assert len(found) == 3
    assert {row["point_id"]: row["value"] for row in costs} == {
        second.point_id: 1.0,
        third.point_id: 3.0,
    }


def test_a_mean_of_many_values_has_the_same_digits_each_time(tmp_path: Path) -> None:
    only = point("flow", {}, {"options": {}})
    plan = make_plan("means", [only], [])
    database = stored(tmp_path, [plan], {"runs": [{"experiment": "means", **run(only)}]})
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "INSERT INTO metrics BY NAME SELECT 'means' AS experiment, ? AS point_id,"
            " 'makespan_s' AS metric, n AS message_bytes, exp(20 * sin(n)) AS value, 's' AS unit"
            " FROM range(?) AS numbers(n)",
            [only.point_id, MANY],
        )
    with open_study(tmp_path / "results/means/plan.json", database, CONFIGS) as study:
        means = {study.means("makespan_s", ["engine"])[0].mean for _ in range(5)}
    assert len(means) == 1

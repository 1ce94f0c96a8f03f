"""Coverage per engine and value, also of engines that do not look at the swept key."""

from __future__ import annotations

from pathlib import Path

from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

from tests.report import report_samples

PLACEMENT = "workload.placement"


def test_a_measurement_answers_beside_every_placement(tmp_path: Path) -> None:
    """`flow` has two replicates at each placement, `hardware` two at none."""
    points = [
        report_samples.point(
            engine,
            at,
            {"topology": {}, "network": {}, "workload": at, "options": {}},
            replicate,
        )
        for engine, places in (
            ("flow", [{PLACEMENT: "block"}, {PLACEMENT: "random"}]),
            ("hardware", [{}]),
        )
        for at in places
        for replicate in (0, 1)
    ]
    plan = report_samples.make_plan("placed", points, [])
    # One point of flow is missing at `random`.
    runs = [{"experiment": "placed", **report_samples.run(at)} for at in points if at != points[3]]
    database = report_samples.write(tmp_path, [plan], {"runs": runs, "metrics": []})
    path = tmp_path / "results" / "placed" / "plan.json"
    with open_study(path, database, report_samples.CONFIGS) as study:
        found = coverage(study)
    assert found.columns == ["block", "random"]
    rows = {row["engine"]: [cell["text"] for cell in row["cells"]] for row in found.engines}
    assert rows == {"flow": ["2/2", "1/2"], "hardware": ["2/2", "2/2"]}
    assert [row["planned"] for row in found.engines] == [4, 2]


def test_coverage_is_by_the_setting_that_others_follow_from(tmp_path: Path) -> None:
    """Arguments follow from the program, also where they are swept before it."""
    places: list[report_samples.Row] = [
        {"workload.arguments": ["4x4"], "workload.program": "halo_exchange"},
        {"workload.arguments": [], "workload.program": "alltoall"},
        {"workload.arguments": [], "workload.program": "allreduce"},
    ]
    points = [
        report_samples.point(
            "flow", at, {"topology": {}, "network": {}, "workload": at, "options": {}}
        )
        for at in places
    ]
    plan = report_samples.make_plan("programs", points, [])
    runs = [{"experiment": "programs", **report_samples.run(at)} for at in points]
    database = report_samples.write(tmp_path, [plan], {"runs": runs, "metrics": []})
    path = tmp_path / "results" / "programs" / "plan.json"
    with open_study(path, database, report_samples.CONFIGS) as study:
        assert study.distinguishing() == ("workload.program",)
        assert coverage(study).columns == ["halo_exchange", "alltoall", "allreduce"]

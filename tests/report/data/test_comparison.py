from __future__ import annotations

from pathlib import Path

import pytest
import report_samples
from weft.analysis.comparison import Answer, compare
from weft.report.data.references import comparisons
from weft.report.data.source import open_study


def answers(**values: float) -> list[Answer]:
    return [Answer({"k": int(name[1:])}, value) for name, value in values.items()]


def test_ratios_are_joined_on_shared_coordinates() -> None:
    found = compare("m", ("a", answers(k2=2.0, k4=1.0, k8=9.0)), ("b", answers(k2=1.0, k4=4.0)))
    assert [(r.coordinates["k"], r.ratio) for r in found.ratios] == [(2, 2.0), (4, 0.25)]
    assert (found.matched, found.of_count, found.to_count, found.coverage) == (2, 3, 2, 1.0)


def test_half_and_double_are_equally_far() -> None:
    found = compare("m", ("a", answers(k2=2.0, k4=0.5)), ("b", answers(k2=1.0, k4=1.0)))
    assert found.geometric_mean == pytest.approx(1.0)
    assert found.median_factor == pytest.approx(2.0)
    assert found.max_factor == pytest.approx(2.0)
    assert found.worst.coordinates == {"k": 2}


def test_integers_floats_and_texts_of_one_value_match() -> None:
    found = compare("m", ("a", [Answer({"k": "16"}, 1.0)]), ("b", [Answer({"k": 16.0}, 1.0)]))
    assert found.matched == 1


def test_a_coordinate_of_one_side_does_not_hinder() -> None:
    mine = [Answer({"k": 2, "routing": r}, v) for r, v in (("dmodk", 1.0), ("smodk", 3.0))]
    found = compare("m", ("a", mine), ("b", answers(k2=1.0)))
    assert [r.ratio for r in found.ratios] == [1.0, 3.0]
    assert found.ratios[1].coordinates == {"k": 2, "routing": "smodk"}


def test_zeros_form_no_ratio_and_lower_the_coverage() -> None:
    found = compare("m", ("a", answers(k2=0.0, k4=1.0)), ("b", answers(k2=1.0, k4=1.0)))
    assert (found.matched, found.coverage) == (1, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "matched"), [(4096, 0), (65536, 1)])
def test_a_published_time_judges_only_messages_of_its_size(
    size: int, matched: int, tmp_path: Path
) -> None:
    workload = {"kind": "program", "program": "alltoall_pairwise", "ranks": 2048}
    at = report_samples.point("rdma", {}, {"topology": {}, "workload": workload, "network": {}})
    figure = {
        "bar": {"x": "message_bytes", "y": "program_time_s", "published": "opennsim/alltoall"}
    }
    plan = report_samples.make_plan("sized", [at], [figure])
    metric = {"metric": "program_time_s", "message_bytes": size, "value": 0.2, "unit": "s"}
    rows = {"runs": [report_samples.run(at)], "metrics": [{"point_id": at.point_id, **metric}]}
    named = {
        table: [{"experiment": "sized", **row} for row in mine] for table, mine in rows.items()
    }
    database = report_samples.write(tmp_path, [plan], named)
    path = tmp_path / "results" / "sized" / "plan.json"
    with open_study(path, database, report_samples.CONFIGS) as study:
        found = comparisons(study, "program_time_s", ["opennsim/alltoall"])
    assert sum(each.matched for each in found) == matched

"""Figures of programs show what a recorder saw beside predictions, and no more than it saw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import report_samples
from report_samples import CONFIGS, make_plan, point, run
from weft.config.model.program_figures import CriticalPath, ProgramCalls, RankPairs, RankTimeline
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.draw.palette import Palette
from weft.report.kinds import critical_path, rank_timeline
from weft.report.kinds.calls.charts import call_charts
from weft.report.kinds.calls.finding import call_findings
from weft.report.kinds.calls.rows import call_times
from weft.report.kinds.rank_pairs.rows import matrices
from weft.report.record.outcome import coverage

Row = dict[str, Any]
SPEC: Row = {
    "topology": {"kind": "torus", "sizes": [4]}, "network": {}, "options": {},
    "workload": {"kind": "program", "program": "alltoall", "ranks": 2},
}  # fmt: skip


def sampled(
    folder: Path, flag: str | None = None, predicted_flag: str | None = None
) -> tuple[Path, Path]:
    """A program in which rank 1 computes for 8 of 10 us, predicted and measured; the measurement
    has the `flag`, and the prediction the `predicted_flag`."""
    tables: dict[str, list[Row]] = {
        name: []
        for name in ("runs", "metrics", "calls", "rank_pairs", "rank_timeline", "critical_path")
    }
    points = [point(engine, {}, SPEC, 0) for engine in ("rdma", "hardware")]
    flags = (predicted_flag, flag)
    for at, is_measured in zip(points, (False, True), strict=True):
        mine = {"experiment": "both", "point_id": at.point_id}
        tables["runs"].append({"experiment": "both", **run(at)})
        tables["metrics"].append(mine | {"metric": "program_time_s", "message_bytes": None,
                                         "value": 1e-5, "unit": "s",
                                         "flag": flags[is_measured]})  # fmt: skip
        for rank, compute_s in ((0, 4e-6), (1, 8e-6)):
            inside_s = 1e-5 - compute_s
            waiting_s = None if is_measured else inside_s
            tables["calls"].append(mine | {"rank": rank, "call": "MPI_Barrier", "count": 1,
                                           "time_s": inside_s, "waiting_s": waiting_s})  # fmt: skip
            split = {"software_s": 0.0, "network_s": 0.0, "waiting_s": inside_s, "call_s": None}
            if is_measured:
                split = dict.fromkeys(split) | {"call_s": inside_s}
            tables["rank_timeline"].append(
                mine | {"rank": rank, "quantile": None, "start_s": 0.0, "end_s": 1e-5}
                | {"compute_s": compute_s} | split
            )  # fmt: skip
            tables["rank_pairs"].append(mine | {"source": rank, "destination": 1 - rank,
                                                "messages": 1, "bytes": 8})  # fmt: skip
        path = [(1, None, "compute", 8e-6), (1, "MPI_Barrier", "network", 2e-6)]
        for rank, call, state, time_s in path:
            state = "call" if is_measured and call else state
            tables["critical_path"].append(
                mine | {"rank": rank, "call": call, "state": state, "source": None,
                        "destination": None, "pieces": 1, "time_s": time_s}
            )  # fmt: skip
    plan = make_plan("both", points, [{"calls": {}}])
    return folder / "results/both/plan.json", report_samples.write(folder, [plan], tables)


@pytest.fixture
def study(tmp_path: Path):
    with open_study(*sampled(tmp_path), CONFIGS) as opened:
        yield opened


def series(spec: Row) -> list[str]:
    return list(dict.fromkeys(row["series"] for row in spec["data"]["values"]))


def test_a_measured_call_is_not_divided_into_waiting_and_work(study):
    calls = call_times(study, ProgramCalls())
    charts = dict(call_charts(calls))
    assert series(charts["rdma"]) == ["waiting", "its own work"]
    assert series(charts["hardware"]) == ["in the call"]
    assert any("does not show what part of a call is waiting" in note for note in calls.notes)


def test_the_answer_does_not_say_how_long_a_measured_rank_waits(study):
    predicted, measured = call_findings(study, ProgramCalls())
    assert predicted.startswith(
        "rdma: a rank is in calls for 4 µs of 10 µs (40%), and waits for 100%"
    )
    assert measured.startswith(
        "hardware: a rank is in calls for 4 µs of 10 µs (40%) in the run that was recorded;"
    )


def test_a_recording_on_a_busy_machine_answers_nothing(tmp_path):
    with open_study(*sampled(tmp_path, "ranks had no processor"), CONFIGS) as busy:
        (predicted,) = call_findings(busy, ProgramCalls())
        assert predicted.startswith("rdma: ")
        notes = call_times(busy, ProgramCalls()).notes
    assert "Measured on a busy machine, not to be trusted: hardware." in notes


def test_what_a_figure_of_calls_says_comes_before_agreement(study):
    first, *others = answer(study, study_figures(study), [], coverage(study)).sentences
    assert first.startswith("rdma: a rank is in calls")
    assert "it spends most time in MPI_Barrier (4 µs, 1 call)." in first
    assert any("gives exactly the same program time" in text for text in others)


def test_a_measured_lane_is_computing_or_in_a_call(study):
    course = rank_timeline.KIND.rows(study, RankTimeline())
    charts = dict(rank_timeline.KIND.charts(course, Palette()))
    assert series(charts["rdma"]) == ["computes", "waits for another rank"]
    assert series(charts["hardware"]) == ["computes", "is in a call"]
    assert "rdma: rank 0 waits for others for 60% of the time, rank 1 for 20%." in course.notes
    assert "hardware: rank 0 is in calls for 60% of the time, rank 1 for 20%." in course.notes


def test_a_measured_path_stands_beside_the_predicted_one_and_names_its_limits(study):
    course = critical_path.KIND.rows(study, CriticalPath())
    charts = dict(critical_path.KIND.charts(course, Palette()))
    assert series(charts["rdma"]) == ["computes", "waits for the network"]
    assert series(charts["hardware"]) == ["computes", "is in a call"]
    assert "hardware: of the path, computing 80%, calls 20%." in course.notes
    assert any("a machine shows neither links" in note for note in course.notes)


def test_a_measured_matrix_does_not_claim_the_messages_of_collectives(study):
    notes = matrices(study, RankPairs()).notes
    assert any("of which the MPI library makes a collective were not recorded" in n for n in notes)


def test_a_prediction_from_computing_measured_on_a_busy_machine_made_nothing_up(tmp_path):
    busy = "measuring its computing had no processor for 73% of the time"
    with open_study(*sampled(tmp_path, predicted_flag=busy), CONFIGS) as study:
        notes = call_times(study, ProgramCalls()).notes
    assert "Measured on a busy machine, not to be trusted: rdma." in notes
    assert not any("made it up" in note for note in notes)

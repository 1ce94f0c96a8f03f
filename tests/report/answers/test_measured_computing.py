"""Answers about predictions with measured computing: what its runs cannot tell apart."""

from __future__ import annotations

from pathlib import Path

import packet_samples
import pytest
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.config.model.figures import Line
from weft.report.answers import answer
from weft.report.compare.changes import Verdict, compared
from weft.report.curves.answers import figure_answers
from weft.report.curves.rows import figure_data
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

pytestmark = pytest.mark.slow

LINE = {"x": "topology.k", "y": "program_time_s"}


def stored(folder: Path, spread: float | None, torus_s: float = 1.0) -> tuple[Path, Path]:
    """A program takes 5 % longer on a mesh than on a torus; runs of its computing differ by
    `spread` of that time."""
    points, metrics = [], []
    for kind, seconds in (("mesh", 1.05 * torus_s), ("torus", torus_s)):
        spec: Row = {"topology": {"kind": kind, "k": 4}, "workload": {"kind": "program"},
                     "network": {}, "options": {"compute": "measured"}}  # fmt: skip
        at = point("flow", {"topology.kind": kind, "topology.k": 4}, spec)
        points.append(at)
        metrics.append(packet_samples.value(at, "program_time_s", seconds, "s"))
        metrics.append(packet_samples.value(at, "messages", 100.0 * seconds, "1"))
        if spread is not None:
            metrics.append(packet_samples.value(at, "computing_spread", spread, "1"))
    plan = make_plan("answers", points, [{"line": LINE}])
    return packet_samples.stored(folder, plan, metrics, [run(at) for at in points])


@pytest.mark.parametrize("spread", [None, 0.0, 0.02])
def test_a_difference_beyond_the_scatter_of_computing_is_a_finding(
    tmp_path: Path, spread: float | None
) -> None:
    with open_study(*stored(tmp_path, spread), CONFIGS) as study:
        said = answer(study, study_figures(study), [], coverage(study)).sentences
    assert said == ["torus (1 s) has the lowest program time, ahead of mesh (1.05 s) by ×1.05."]


def test_a_difference_within_the_scatter_of_computing_is_none(tmp_path: Path) -> None:
    with open_study(*stored(tmp_path, 0.03), CONFIGS) as study:
        said = answer(study, study_figures(study), [], coverage(study)).sentences
    assert said == [
        "torus (1 s) and mesh (1.05 s) are indistinguishable in program time. Predictions whose"
        " intervals overlap are indistinguishable: those with measured computing are ±3%."
    ]


def test_a_line_of_predictions_has_the_interval_of_its_computing(tmp_path: Path) -> None:
    with open_study(*stored(tmp_path, 0.1), CONFIGS) as study:
        (asked,) = study.plan.report.figures
        assert isinstance(asked, Line)
        for row in figure_answers(study, asked).answers:
            assert (row.low, row.high) == pytest.approx((0.9 * row.y, 1.1 * row.y))
        assert (
            "Intervals of predictions with measured computing reach up to 10.0% farther to both"
            " sides: so far its runs differ."
        ) in figure_data(study, asked).about
        # How many messages there are does not depend on how long computing takes.
        counts = figure_answers(study, asked.model_copy(update={"y": "messages"})).answers
        assert {row.low for row in counts} == {None}


@pytest.mark.parametrize(("spread", "verdict"), [(0.03, Verdict.SAME), (0.01, Verdict.CHANGED)])
def test_a_program_that_was_measured_again_is_no_change(
    tmp_path: Path, spread: float, verdict: Verdict
) -> None:
    """4 % slower after another measurement of what it computes."""
    first, again = stored(tmp_path / "a", spread), stored(tmp_path / "b", spread, 1.04)
    with open_study(*first, CONFIGS) as a, open_study(*again, CONFIGS) as b:
        times = [each for each in compared(a, b).pairs if each.metric == "program_time_s"]
    assert [each.verdict for each in times] == [verdict] * 2

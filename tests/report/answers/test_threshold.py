"""The question `threshold`: from where on a metric reaches a level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import packet_samples
import pytest
from answer_samples import LINE, sentences, stored
from pydantic import ValidationError
from report_samples import Row, make_plan, point, run
from weft.analysis.findings import ReachingFinding, reaching
from weft.config.model.answer import Along

FIGURES = [{"line": LINE}]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([1.0, 2.0, 3.0], ReachingFinding(2, 1, (2, 3), 3, 1)),
        ([2.0, 3.0, 4.0], ReachingFinding(1, None, (1, 2, 3), 3, 1)),
        ([1.0, 1.5, 1.2], ReachingFinding(None, None, (), 2, 1)),
        ([2.5, 1.0, 3.0], ReachingFinding(3, 2, (1, 3), 3, 2)),
        ([2.5, 1.0], ReachingFinding(None, None, (1,), 1, 2)),
    ],
)
def test_a_level_is_reached_from_where_all_that_follows_reaches_it(
    values: list[float], found: ReachingFinding
) -> None:
    assert reaching(dict(enumerate(values, 1)), 2.0, "least") == found


def test_the_other_side_is_the_mirrored_curve() -> None:
    curve = {1: 5.0, 2: 3.0, 4: 1.0}
    assert reaching(curve, 3.0, "most") == ReachingFinding(2, 1, (2, 4), 4, 1)


def told(folder: Path, series: dict[str, list[float]], **question: object) -> list[str]:
    """Of topologies with a makespan in us at k = 1, 2, 4 and so on."""
    values = [
        ("flow", kind, 2**place, 0, micros * 1e-6)
        for kind, times in series.items()
        for place, micros in enumerate(times)
    ]
    asked: Row = {"kind": "along", "of": "makespan_s", "over": "topology.k", **question}
    return sentences(stored(folder, values, FIGURES, answer=[asked]))


@pytest.mark.slow
def test_series_that_reach_the_level_at_one_place_share_a_sentence(tmp_path: Path) -> None:
    series = {"mesh": [1, 2, 4], "torus": [1, 1, 5]}
    assert told(tmp_path, series, among="topology.kind", at_least=3e-6) == [
        "The completion time is at least 3 µs from k = 4 on with each of mesh and torus"
        " (4 µs to 5 µs, after 1 µs to 2 µs at 2)."
    ]


@pytest.mark.slow
def test_each_series_says_from_where_on_it_reaches_the_level(tmp_path: Path) -> None:
    series = {"mesh": [1, 2, 4], "torus": [3, 4, 5], "ring": [1, 1, 2], "star": [4, 1, 1]}
    assert told(tmp_path, series, among="topology.kind", at_least=3e-6) == [
        "The completion time is at least 3 µs with mesh from k = 4 on (4 µs, after 2 µs at 2);"
        " with torus everywhere from k = 1 to 4 (3 µs or more);"
        " with ring nowhere from k = 1 to 4 (2 µs or less);"
        " with star only at k = 1."
    ]


@pytest.mark.slow
def test_each_value_of_a_key_has_a_sentence(tmp_path: Path) -> None:
    series = {"mesh": [4, 2, 1], "torus": [4, 4]}
    assert told(tmp_path, series, among=[], each="topology.kind", at_most=2e-6) == [
        "For mesh: the completion time is at most 2 µs from k = 2 on (2 µs, after 4 µs at 1).",
        "For torus: the completion time is at most 2 µs nowhere from k = 1 to 2 (4 µs or more).",
    ]


@pytest.mark.slow
def test_one_place_is_no_stretch(tmp_path: Path) -> None:
    series: dict[str, list[float]] = {"mesh": [4], "torus": [1]}
    (text,) = told(tmp_path, series, among="topology.kind", at_least=3e-6)
    assert text.endswith("with mesh at k = 1 (4 µs); with torus not at k = 1 (1 µs).")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "text"),
    [
        ({"kind": "along", "at_least": 3e-6},
         "The completion time is at least 3 µs from 16 ranks on (4 µs, after 1 µs at 4)."),
        ({"kind": "along", "within": 0.1},
         "The completion time is within 10% of its lowest, 1 µs, from 4 ranks, but no longer at"
         " 16 ranks."),
        ({"kind": "along"},
         "Against 1 µs at 4 ranks, the completion time is ×4.00 with 16."),
    ],
)  # fmt: skip
def test_a_key_that_varies_with_the_axis_makes_no_places(
    tmp_path: Path, question: Row, text: str
) -> None:
    points, metrics = [], []
    for k, ranks in ((2, 4), (4, 16)):
        spec: Row = {"topology": {"kind": "torus", "k": k}, "network": {},
                     "workload": {"kind": "messages", "ranks": ranks}, "options": {}}  # fmt: skip
        points.append(point("flow", {"topology.k": k, "workload.ranks": ranks}, spec))
        metrics.append(packet_samples.value(points[-1], "makespan_s", ranks / 4 * 1e-6, "s"))
    asked = {"of": "makespan_s", "over": "workload.ranks", "among": [], **question}
    plan = make_plan("answers", points, FIGURES)
    plan = replace(plan, stored_report={**plan.stored_report, "answer": [asked]})
    built = packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points])
    assert sentences(built) == [text]


def test_one_question_has_one_level() -> None:
    with pytest.raises(ValidationError, match="at_least and at_most ask for two things"):
        Along(at_least=1.0, at_most=2.0)

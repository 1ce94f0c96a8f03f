"""The question `along` over words and many numbers: how a metric goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import packet_samples
import pytest
from answer_samples import sentences
from report_samples import Row, make_plan, point, run
from weft.analysis.findings import SettlingFinding, settling

LINE = {"line": {"x": "topology.k", "y": "makespan_s"}}


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([4.0, 4.0, 4.0], SettlingFinding(0)),
        ([8.0, 6.0, 4.0, 4.01, 4.0], SettlingFinding(2)),
        ([8.0, 6.0, 4.0], SettlingFinding(2)),
        ([2.0, 9.0, 4.0, 4.0], SettlingFinding(2, peak=1)),
        ([2.0, 1.0, 4.0, 4.0], SettlingFinding(2, peak=1)),
        ([4.0], SettlingFinding(0)),
        ([0.0, 0.0], SettlingFinding(0)),
    ],
)
def test_a_series_settles_where_all_that_follows_is_like_its_end(
    values: list[float], found: SettlingFinding
) -> None:
    assert settling(values, 0.01) == found


def told(
    folder: Path, series: dict[str, list[float]], question: Row, trips: bool = False
) -> list[str]:
    """Of topologies with a makespan in us at each k from 1 on, or at each trip of a pattern."""
    points, metrics = [], []
    for kind, times in series.items():
        for k, micros in enumerate(times, 1):
            spec: Row = {"topology": {"kind": kind, "k": k}, "workload": {"kind": "messages"},
                         "network": {}, "options": {}}  # fmt: skip
            points.append(point("flow", {"topology.kind": kind, "topology.k": k}, spec))
            metrics.append(packet_samples.value(points[-1], "makespan_s", micros * 1e-6, "s"))
    asked = {"kind": "along", "of": "makespan_s", "among": "topology.kind", **question}
    named = [[f"pattern 1, trip {k}", {"topology.k": k}] for k in range(1, 9)]
    plan = make_plan("course", points, [LINE])
    more = {"answer": [asked], "variants": named if trips else []}
    plan = replace(plan, stored_report={**plan.stored_report, **more})
    return sentences(packet_samples.stored(folder, plan, metrics, [run(at) for at in points]))


@pytest.mark.slow
def test_series_that_go_alike_share_a_sentence(tmp_path: Path) -> None:
    series = {"mesh": [8, 6, *[4] * 5], "torus": [3] * 7, "ring": [3] * 7}
    assert told(tmp_path, series, {"over": "topology.k"}) == [
        "mesh: the completion time falls from 8 µs at k = 1 to 4 µs at k = 3 and stays there to"
        " k = 7.",
        "torus and ring: the completion time stays at 3 µs from k = 1 to k = 7.",
    ]


@pytest.mark.slow
def test_what_never_settles_and_what_lies_between_is_said(tmp_path: Path) -> None:
    series = {"mesh": [2, 9, *[4] * 5], "torus": [1, 2, 3, 4, 5, 6, 7]}
    assert told(tmp_path, series, {"over": "topology.k"}) == [
        "mesh: the completion time rises from 2 µs at k = 1 to 4 µs at k = 3, with 9 µs at k = 2"
        " between them, and stays there to k = 7.",
        "torus: the completion time rises from 1 µs at k = 1 to 7 µs at k = 7; it has not settled"
        " there.",
    ]


@pytest.mark.slow
def test_how_far_values_may_differ_is_asked(tmp_path: Path) -> None:
    question = {"over": "variant", "within": 0.1}
    (text,) = told(tmp_path, {"mesh": [8, 4.3, 4]}, question, trips=True)
    assert text.endswith("to 4.3 µs at trip 2 and stays there to trip 3.")


@pytest.mark.slow
def test_variants_are_an_axis_in_their_order_and_say_once_what_they_share(tmp_path: Path) -> None:
    series = {"mesh": [8, 4, 4], "torus": [8, 8, 8]}
    assert told(tmp_path, series, {"over": "variant"}, trips=True) == [
        "pattern 1, mesh: the completion time falls from 8 µs at trip 1 to 4 µs at trip 2 and"
        " stays there to trip 3.",
        "pattern 1, torus: the completion time stays at 8 µs from trip 1 to trip 3.",
    ]

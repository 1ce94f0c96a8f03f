"""The question `along` over a few numbers: by how much a metric changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import packet_samples
import pytest
from answer_samples import sentences, stored
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

LINE = {"x": "topology.k", "y": "makespan_s"}


def said(
    folder: Path,
    values: list[tuple[str, str, int, int, float]],
    fields: Row,
    *,
    variants: Sequence[tuple[str, Row]] = (),
    axis: str = "topology.k",
    confidence: float = 0.95,
) -> list[str]:
    """Of points with `makespan_s`: rows of engine, topology, place, replicate and seconds."""
    points, metrics = [], []
    for engine, kind, k, replicate, seconds in values:
        spec: Row = {"topology": {"kind": kind, "k": k}, "network": {},
                     "workload": {"kind": "messages"}, "options": {}}  # fmt: skip
        points.append(point(engine, {"topology.kind": kind, axis: k}, spec, replicate))
        metrics.append(packet_samples.value(points[-1], "makespan_s", seconds, "s"))
    question = {"kind": "along", "of": "makespan_s", **fields}
    plan = make_plan("answers", points, [{"line": LINE}])
    report = {**plan.stored_report, "answer": [question], "variants": [*map(list, variants)]}
    report["interval"] = confidence
    plan = replace(plan, stored_report=report)
    stored = packet_samples.stored(folder, plan, metrics, [run(at) for at in points])
    with open_study(*stored, CONFIGS) as study:
        return answer(study, study_figures(study), [], coverage(study)).sentences


@pytest.mark.slow
def test_what_each_step_costs_is_told_with_the_spread_of_the_seeds(tmp_path: Path) -> None:
    values = [
        ("flow", "mesh", k, seed, seconds)
        for k, times in {
            2: (1e-6, 2e-6, 1e-6),
            3: (1.1e-6, 2.2e-6, 1.1e-6),
            4: (1.3e-6, 2.8e-6, 1.35e-6),
        }.items()
        for seed, seconds in enumerate(times)
    ]
    (text,) = said(tmp_path, values, {"over": "topology.k"})
    assert text == (
        "Against 1.333 µs at k = 2, the completion time is 10.0% higher with 3 and 36.3% higher"
        " (+30.0% to +40.0%) with 4 (in brackets the least and the most of 3 replicates); that is"
        " +10.0% to +18.1% for each step of 1."
    )


@pytest.mark.slow
def test_a_change_within_the_scatter_is_called_so(tmp_path: Path) -> None:
    """A reader must not take what the draw of a seed does for what the axis does."""
    values = [
        ("flow", "mesh", k, seed, seconds)
        for k, times in {0: (1e-6, 1e-6, 1e-6), 1: (0.9e-6, 1.3e-6, 1.02e-6),
                         8: (2e-6, 2.1e-6, 2.2e-6)}.items()
        for seed, seconds in enumerate(times)
    ]  # fmt: skip
    (text,) = said(tmp_path, values, {"over": "topology.k"})
    assert text == (
        "Against 1 µs at k = 0, the completion time is ×2.10 (×2.00 to ×2.20) with 8 (in"
        " brackets the least and the most of 3 replicates); 3 replicates are too few to tell"
        " whether it differs with 1 (+7.3%)."
    )


@pytest.mark.slow
def test_more_ranks_that_are_faster_have_an_efficiency(tmp_path: Path) -> None:
    values = [("flow", "mesh", ranks, 0, 8e-6 / ranks**0.5) for ranks in (4, 16)]
    (text,) = said(tmp_path, values, {"over": "workload.ranks"}, axis="workload.ranks")
    assert text.endswith("; 4 times the ranks make it ×2.00 faster, an efficiency of 50%.")


@pytest.mark.slow
def test_only_equal_values_are_the_same(tmp_path: Path) -> None:
    """The last digits of a sum in another order are no change; four in ten thousand are one."""
    values = [
        ("flow", "mesh", k, 0, seconds)
        for k, seconds in {2: 0.3, 3: 0.1 + 0.2, 4: 0.30012, 5: 0.6}.items()
    ]
    (text,) = said(tmp_path, values, {"over": "topology.k"})
    assert text.startswith(
        "Against 300 ms at k = 2, the completion time is the same with 3, the same within 0.05%"
        " with 4 and ×2.00 with 5"
    )


@pytest.mark.slow
def test_the_sentence_names_the_engine_where_others_have_values_too(tmp_path: Path) -> None:
    values = [(engine, "mesh", k, 0, k * 1e-6) for engine in ("flow", "packet") for k in (2, 3)]
    (text,) = said(tmp_path, values, {"over": "topology.k"})
    assert text.startswith("Against 2 µs at k = 2, the completion time is 50.0% higher with 3")
    assert text.endswith(" (packet).")


@pytest.mark.slow
def test_each_engine_has_a_sentence(tmp_path: Path) -> None:
    values = [
        (engine, "mesh", k, 0, seconds)
        for engine, slope in (("flow", 1e-6), ("packet", 2e-6))
        for k, seconds in ((2, 4e-6), (4, 4e-6 + 2 * slope))
    ]
    for field in ("among", "each"):
        found = said(tmp_path / field, values, {"over": "topology.k", field: "engine"})
        assert found[:2] == [
            "flow: against 4 µs at k = 2, the completion time is ×1.50 with 4.",
            "packet: against 4 µs at k = 2, the completion time is ×2.00 with 4.",
        ]


@pytest.mark.slow
def test_a_change_that_is_far_from_linear_has_no_number_for_each_step(tmp_path: Path) -> None:
    times = {2: 4e-6, 4: 2e-6, 16: 0.6e-6}
    values = [("flow", "mesh", k, 0, seconds) for k, seconds in times.items()]
    (text,) = said(tmp_path, values, {"over": "topology.k"})
    assert text.endswith("is 50.0% lower with 4 and 85.0% lower with 16.")


@pytest.mark.slow
def test_what_a_variant_holds_together_are_replicates_of_it(tmp_path: Path) -> None:
    """As a paper's draws, which its experiment sweeps: the lists of both ends have one order."""
    values = [
        ("flow", kind, k, 0, seconds)
        for kind, times in {"torus": (4e-6, 6e-6), "mesh": (1e-6, 1.45e-6)}.items()
        for k, seconds in zip((2, 3), times, strict=True)
    ]
    grids = [("grids", {"topology.kind": ["mesh", "torus"]})]
    asked = {"over": "topology.k", "among": "variant"}
    (text,) = said(tmp_path, values, asked, variants=grids)
    assert text == (
        "Against 2.5 µs at k = 2, the completion time is 49.0% higher (+45.0% to +50.0%) with 3 (in"
        " brackets the least and the most of 2 replicates); that is +49.0% for each step of 1."
    )


@pytest.mark.slow
def test_a_byte_is_no_step_of_an_axis(tmp_path: Path) -> None:
    values = [("flow", "mesh", k, 0, k * 1e-6) for k in (64, 128)]
    axis = "workload.file_bytes"
    (text,) = said(tmp_path, values, {"over": axis}, axis=axis)
    assert text == "Against 64 µs at a file of 64 B, the completion time is ×2.00 with 128 B."


@pytest.mark.slow
def test_without_alternatives_a_figure_over_numbers_asks_what_its_axis_changes(
    tmp_path: Path,
) -> None:
    """Nothing is best then: a reader wants to know what one more of the axis costs."""
    times = {2: 1e-6, 4: 1.2e-6, 8: 4e-6}
    flow = [("flow", "torus", k, 0, seconds) for k, seconds in times.items()]
    (text,) = sentences(stored(tmp_path / "one", flow, [{"line": LINE}]))
    assert text == "Against 1 µs at k = 2, the completion time is ×1.20 with 4 and ×4.00 with 8."
    mesh = [("flow", "mesh", k, 0, 2 * seconds) for k, seconds in times.items()]
    text, *_ = sentences(stored(tmp_path / "two", [*flow, *mesh], [{"line": LINE}]))
    assert text.startswith("torus has the lowest completion time at all 3 values of k")


@pytest.mark.parametrize(
    ("confidence", "words"), [(0.5, "10.3% higher"), (0.95, "too few to tell whether")]
)
def test_what_is_scatter_depends_on_the_confidence_that_the_report_asks_for(
    tmp_path: Path, confidence: float, words: str
) -> None:
    values = [
        ("flow", "mesh", k, seed, seconds)
        for k, times in {2: (1e-6, 1e-6, 1e-6), 3: (1.0e-6, 1.01e-6, 1.3e-6)}.items()
        for seed, seconds in enumerate(times)
    ]
    (text,) = said(tmp_path, values, {"over": "topology.k"}, confidence=confidence)
    assert words in text


def many(times: Sequence[float]) -> list[tuple[str, str, int, int, float]]:
    return [("flow", "mesh", k, 0, time) for k, time in zip((2, 4, 8, 12, 16), times, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "text"),
    [
        (
            (1e-6, 1.5e-6, 1.9e-6, 1.96e-6, 2e-6),
            "The completion time rises from 1 µs at k = 2 to 2 µs at 16 (×2.00) and is within 5%"
            " of that from 8 on.",
        ),
        (
            (1e-6, 1.5e-6, 2e-6, 1.6e-6, 1.4e-6),
            "The completion time rises from 1 µs at k = 2 to 2 µs at 8 (×2.00); with 4 it is ×1.50;"
            " at 16 it is 1.4 µs.",
        ),
        (
            (2e-6, 1.9e-6, 1.5e-6, 1.2e-6, 1e-6),
            "The completion time falls from 2 µs at k = 2 to 1 µs at 16 (50.0% lower); with 4 it"
            " is 5.0% lower.",
        ),
        (
            (1e-6, 1.01e-6, 1.02e-6, 1.03e-6, 1.03e-6),
            "The completion time rises from 1 µs at k = 2 to 1.03 µs at 12 (3.0% higher); with 4"
            " it is 1.0% higher.",
        ),
        (
            (1e-6, 0.6e-6, 1.65e-6, 1.7e-6, 1.7e-6),
            "The completion time rises from 1 µs at k = 2 to 1.7 µs at 12 (70.0% higher) and is"
            " within 5% of that from 8 on; with 4 it is 40.0% lower.",
        ),
    ],
    ids=["levels off", "turns", "goes on", "hardly changes", "goes the other way first"],
)
def test_of_more_than_three_changes_the_whole_way_is_told(
    tmp_path: Path, times: tuple[float, ...], text: str
) -> None:
    assert said(tmp_path, many(times), {"over": "topology.k"}) == [text]


@pytest.mark.slow
def test_what_is_within_the_scatter_is_told_beside_the_whole_way(tmp_path: Path) -> None:
    values = [
        ("flow", "mesh", k, seed, seconds)
        for k, times in {
            1: (1e-6, 1e-6, 1e-6),
            2: (0.98e-6, 1.03e-6, 1.0e-6),
            4: (1.2e-6, 1.21e-6, 1.22e-6),
            8: (1.5e-6, 1.51e-6, 1.49e-6),
            16: (2e-6, 2.01e-6, 1.99e-6),
        }.items()
        for seed, seconds in enumerate(times)
    ]
    (text,) = said(tmp_path, values, {"over": "topology.k"})
    assert text == (
        "The completion time rises from 1 µs at k = 1 to 2 µs at 16 (×2.00, ×1.99 to ×2.01 of 3"
        " replicates); with 4 it is ×1.21; with 2 it"
        " does not differ from the first by more than the scatter."
    )

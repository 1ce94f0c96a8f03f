"""Agreement in the answer box: how near predictions are to their reference, and which one it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import packet_samples
import pytest
from answer_samples import LINE, sentences, stored
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.report.answers.agreement.question import AgreementAsk
from weft.report.answers.question import PageSources
from weft.report.data.references import comparisons
from weft.report.data.source import open_study

pytestmark = pytest.mark.slow


def test_the_worst_error_stands_beside_the_scatter_of_its_replicates(tmp_path: Path) -> None:
    values = [
        ("flow", "mesh", 4, seed, seconds) for seed, seconds in enumerate((0.9e-6, 1e-6, 1.1e-6))
    ] + [("packet", "mesh", 4, seed, 2e-6) for seed in range(3)]
    (text, *_) = sentences(stored(tmp_path, values, [{"line": LINE}]))
    assert text == (
        "flow gives the completion time within ×2.00 of packet: 1 µs against 2 µs (replicates"
        " scatter by 10%)."
    )


def test_an_error_is_against_the_highest_fidelity_listed_first_or_not(
    tmp_path: Path,
) -> None:
    values = [("flow", "mesh", 4, 0, 1e-6), ("packet", "mesh", 4, 0, 2e-6)]
    with open_study(*stored(tmp_path, values, [{"line": LINE}]), CONFIGS) as study:
        assert [(c.of, c.to) for c in comparisons(study, "makespan_s", [])] == [("flow", "packet")]


def test_a_reference_without_answers_leaves_it_to_the_others(tmp_path: Path) -> None:
    values = [("flow", "mesh", 4, 0, 1e-6), ("packet", "mesh", 4, 0, 2e-6)]
    built = stored(tmp_path, values, [{"line": LINE}], reference="booksim")
    with open_study(*built, CONFIGS) as study:
        assert [(c.of, c.to) for c in comparisons(study, "makespan_s", [])] == [("flow", "packet")]


def test_the_report_may_name_another_reference(tmp_path: Path) -> None:
    values = [("packet", "mesh", 4, 0, 2e-6), ("flow", "mesh", 4, 0, 1e-6)]
    built = stored(tmp_path, values, [{"line": LINE}], reference="flow")
    with open_study(*built, CONFIGS) as study:
        assert [(c.of, c.to) for c in comparisons(study, "makespan_s", [])] == [("packet", "flow")]


@pytest.mark.parametrize(("cpu_s", "share"), [(1.0, "50%"), (0.2, "1/10"), (0.02, "1/100")])
def test_what_a_cheaper_model_saves_is_never_rounded_away(
    tmp_path: Path, cpu_s: float, share: str
) -> None:
    points, metrics, runs = [], [], []
    for engine, used in (("flow", cpu_s), ("packet", 2.0)):
        for k in (4, 8):
            spec: Row = {"topology": {"k": k}, "workload": {"kind": "messages"}, "options": {}}
            at = point(engine, {"topology.k": k}, spec)
            points.append(at)
            metrics.append(packet_samples.value(at, "makespan_s", 1e-6, "s"))
            runs.append(run(at, cpu_s=used))
    plan = make_plan("savings", points, [{"line": LINE}])
    text = " ".join(sentences(packet_samples.stored(tmp_path, plan, metrics, runs)))
    assert f"it takes {share} of the CPU time of packet (median)" in text


def test_the_one_value_that_is_equal_is_not_counted(tmp_path: Path) -> None:
    one = stored(tmp_path, [(n, "mesh", 4, 0, 1e-6) for n in ("flow", "packet")], [{"line": LINE}])
    assert "exactly the same completion time as packet: 1 µs" in sentences(one)[0]


def test_series_of_which_the_same_is_said_share_a_sentence(tmp_path: Path) -> None:
    values = [
        (engine, "mesh", k, 0, seconds * k)
        for k in (4, 8)
        for engine, seconds in (("flow", 1.05e-6), ("rdma", 1.05e-6), ("packet", 1e-6))
    ]
    first, *_, last = sentences(stored(tmp_path, values, [{"line": LINE}], reference="packet"))
    assert [first, last] == [
        "flow and rdma give the completion time within 10% of packet at all 2 values; the worst is"
        " off by ×1.05 at k = 4, so each of them suffices here.",
        "Against 4 µs at k = 4, the completion time is ×2.00 with 8 (packet).",
    ]


def test_a_small_error_is_a_percentage_and_no_factor_of_one(tmp_path: Path) -> None:
    values = [
        (engine, "mesh", k, 0, seconds * k)
        for k in (4, 8)
        for engine, seconds in (("flow", 1.002e-6), ("packet", 1e-6))
    ]
    asked = {"answer": [{"kind": "agreement"}]}
    several, *_ = sentences(stored(tmp_path / "two", values, [{"line": LINE}], **asked))
    assert "; the worst is off by 0.2% at k = 4, so flow suffices" in several
    (one,) = sentences(stored(tmp_path / "one", values[:2], [{"line": LINE}], **asked))
    assert one == ("flow gives the completion time within 0.2% of packet: 4.008 µs against 4 µs.")


@pytest.mark.parametrize("compute", ["declared", "measured"])
def test_only_equal_values_are_exactly_the_same(tmp_path: Path, compute: str) -> None:
    """The last digits of a sum in another order are no difference; 3 ns of 7 µs are one."""

    def said(*times: tuple[float, float]) -> str:
        points, metrics = [], []
        for k, both in enumerate(times):
            spec: Row = {"topology": {"k": k}, "options": {"compute": compute}}
            for engine, seconds in zip(("flow", "packet"), both, strict=True):
                at = point(engine, {"topology.k": k}, spec)
                points.append(at)
                metrics.append(packet_samples.value(at, "makespan_s", seconds, "s"))
        plan = make_plan("answers", points, [{"line": LINE}])
        asked = {"answer": [{"kind": "agreement"}]}
        plan = replace(plan, stored_report={**plan.stored_report, **asked})
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        return sentences(packet_samples.stored(folder, plan, metrics, [run(at) for at in points]))[
            0
        ]

    near, equal, rounded = (7.334e-6, 7.337e-6), (1e-6, 1e-6), (0.1 + 0.2, 0.3)
    start = "flow gives " + (
        "from the same recorded times of computing, " if compute == "measured" else ""
    )
    assert said(near) == (
        f"{start}the completion time within 0.04% of packet: 7.334 µs against 7.337 µs."
    )
    assert said(near, equal).startswith(
        f"{start}the completion time within 0.05% of packet, at all 2 values compared"
    )
    exactly = "" if compute == "measured" else "exactly "
    assert said(equal, rounded).startswith(
        f"{start}{exactly}the same completion time as packet, at all 2 values compared"
    )


def test_variants_along_the_axis_are_places_of_one_series(tmp_path: Path) -> None:
    seconds = {("flow", "mesh"): 1.01e-6, ("flow", "torus"): 2.1e-6,
               ("packet", "mesh"): 1e-6, ("packet", "torus"): 2e-6}  # fmt: skip
    values = [(engine, kind, 4, 0, each) for (engine, kind), each in seconds.items()]
    variants = [[name, {"topology.kind": name}] for name in ("mesh", "torus")]
    figures = [{"line": {"x": "variant", "y": "makespan_s"}}]
    asked = {"variants": variants, "answer": [{"kind": "agreement"}]}
    (text, *_) = sentences(stored(tmp_path, values, figures, **asked))
    assert text == (
        "flow gives the completion time within 10% of packet at all 2 values; the worst is off by"
        " ×1.05 for torus, so flow suffices here."
    )


def test_published_values_at_other_settings_are_named(tmp_path: Path) -> None:
    built = stored(tmp_path, [("flow", "fat_tree", 5, 0, 1e-6)], [{"line": LINE}])
    with open_study(*built, CONFIGS) as study:
        ask = AgreementAsk("makespan_s", to="published")
        found = ask.sentences(PageSources(study, [], ["mfs/table1"]))
    assert found == [
        "Published values of the completion time are at k = 16, k = 18, k = 20 and 9 more. This run"
        " has no such point, so nothing is compared with them."
    ]


@pytest.mark.parametrize(
    ("compute", "said"),
    [
        ("measured", "flow gives from the same recorded times of computing, the same completion"),
        ("declared", "flow gives exactly the same completion"),
    ],
)
def test_the_same_recorded_times_of_computing_are_no_agreement(
    tmp_path: Path, compute: str, said: str
) -> None:
    points = [
        point(engine, {}, {"topology": {"k": 4}, "options": {"compute": compute}})
        for engine in ("flow", "packet")
    ]
    metrics = [packet_samples.value(at, "makespan_s", 1e-6, "s") for at in points]
    plan = make_plan("answers", points, [{"line": LINE}])
    built = packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points])
    assert sentences(built)[0].startswith(said)

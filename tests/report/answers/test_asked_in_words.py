"""Without `answer:` and `figures:` the words of the question decide what its sweep leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from packet_samples import stored, value
from report_samples import CONFIGS, make_plan, point, run
from weft.config.model.figures import Bar, Line, Scaling
from weft.report.answers import answer
from weft.report.answers.box import AnswerBox
from weft.report.data.fidelity import highest
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.html.drawings import figure_titles
from weft.report.record.outcome import coverage

pytestmark = pytest.mark.slow

RANKS, PLACES = "workload.ranks", "workload.placement"
FLITS, CHANNELS = "options.vc_buffer_flits", "options.virtual_channels"
KIB = 1024
#: Settings, metric, value, unit, and size of the messages.
Number = tuple[dict[str, Any], str, float, str, int | None]


def titles(folder: Path, numbers: Sequence[Number]) -> list[str]:
    """Those of the figures of a page."""
    with open_study(*kept(folder, "Is it so?", numbers), CONFIGS) as study:
        return figure_titles(study, study_figures(study))


def kept(
    folder: Path, question: str, numbers: Sequence[Number], engines: Sequence[str] = ("flow",)
) -> tuple[Path, Path]:
    """Plan and database of a page that asks `question` of `numbers`."""
    points, rows = {}, []
    network = {"bandwidth_bytes_per_s": 1e9}
    for where, metric, number, unit, size in numbers:
        for engine in engines:
            spec = {"topology": {}, "network": network, "options": {"asked": dict(where)}}
            at = point(engine, where, spec)
            points[at.point_id] = at
            rows.append(value(at, metric, number, unit, size))
    plan = make_plan("asked", list(points.values()), [], question=question)
    return stored(folder, plan, rows, [run(at) for at in points.values()])


def asked(
    folder: Path, question: str, numbers: Sequence[Number], engines: Sequence[str] = ("flow",)
) -> tuple[list[tuple[str, str, str]], AnswerBox]:
    """The figures of a page, as kind, x and y, and its answer."""
    with open_study(*kept(folder, question, numbers, engines), CONFIGS) as study:
        figures = study_figures(study)
        shown = [(type(f).__name__, f.x, f.y) for f in figures if isinstance(f, Bar | Line)] + [
            ("Scaling", RANKS, f.of) for f in figures if isinstance(f, Scaling)
        ]
        return shown, answer(study, figures, [], coverage(study))


def pingpong() -> list[Number]:
    """A message takes 1 µs beside its time on a link of 1 GB/s; the bandwidth follows from it."""
    return [
        ({}, "one_way_time_s", 1e-6 + kib * KIB * 1e-9, "s", kib * KIB) for kib in (1, 2, 4, 16, 64)
    ]


def test_a_share_of_the_link_is_a_level_of_the_bandwidth(tmp_path: Path) -> None:
    question = "From which size on does a ping-pong reach 90 % of the link's bandwidth?"
    shown, said = asked(tmp_path, question, pingpong())
    assert shown == [("Line", "message_bytes", "bandwidth_bytes_per_s")]
    assert said.findings[0] == (
        "The bandwidth is at least 900 MB/s, 90% of what a link carries, from a message size of"
        " 16 KiB on (942.5 MB/s, after 803.8 MB/s at 4 KiB)."
    )


def test_a_share_of_the_best_value_is_near_that(tmp_path: Path) -> None:
    question = "From which size on does a ping-pong reach 90 % of its largest bandwidth?"
    _, said = asked(tmp_path, question, pingpong())
    assert said.findings[0] == (
        "The bandwidth is within 10% of its highest, 985 MB/s, from a message size of 16 KiB on."
    )


def test_without_a_word_for_it_the_page_shows_the_metric_that_matters_most(tmp_path: Path) -> None:
    shown, _ = asked(tmp_path, "Is it so?", pingpong())
    assert shown == [("Line", "message_bytes", "one_way_time_s")]


def placed() -> list[Number]:
    times = {"linear": (1.0, 2.0, 3.0), "random": (1.0, 3.0, 6.0)}
    return [
        ({RANKS: ranks, PLACES: name}, "iteration_time_s", seconds, "s", None)
        for name, row in times.items()
        for ranks, seconds in zip((4, 16, 64), row, strict=True)
    ]


def test_how_a_time_grows_comes_before_what_is_best_where_it_is_asked_first(
    tmp_path: Path,
) -> None:
    question = "How does the time grow with the ranks, and which placement keeps it lowest?"
    shown, said = asked(tmp_path, question, placed())
    assert shown[0] == ("Line", RANKS, "iteration_time_s")
    assert said.findings[0].startswith("linear: against 1 s at 4 ranks")
    assert said.findings[2].startswith("linear has the lowest time")


def test_what_is_best_comes_first_where_it_is_asked_first(tmp_path: Path) -> None:
    question = "Which placement is fastest, and how does the time grow with the ranks?"
    _, said = asked(tmp_path, question, placed())
    assert said.findings[0].startswith("linear has the lowest time")


def test_ranks_with_a_message_size_each_have_no_figure_of_scaling(tmp_path: Path) -> None:
    question = "How does the time grow with the ranks?"
    shown, _ = asked(tmp_path / "shared", question, placed())
    assert [kind for kind, _, _ in shown] == ["Line", "Scaling"]
    shown, _ = asked(tmp_path / "each", question, [(*row[:4], KIB) for row in placed()])
    assert [kind for kind, _, _ in shown] == ["Line"]


def test_what_a_chosen_number_changes_comes_before_what_models_agree_on(tmp_path: Path) -> None:
    latency = "network.latency_s"
    numbers: list[Number] = [
        ({latency: us * 1e-6, "topology.kind": kind}, "makespan_s", us * by, "s", None)
        for us in (1, 2) for kind, by in (("mesh", 2.0), ("torus", 1.0))
    ]  # fmt: skip
    question = "What makes it faster, a torus or half of the latency?"
    _, said = asked(tmp_path, question, numbers, engines=("flow", "packet"))
    assert said.findings[0].startswith("torus has the lowest completion time")
    assert said.findings[1].startswith("mesh: against 2 s at a latency of 1 µs")
    assert any("as packet, at all 4 values" in text for text in said.findings[3:])


def test_a_time_that_grows_at_first_has_no_efficiency(tmp_path: Path) -> None:
    """Ranks with as much work each: who falls in the end has gained by its place alone."""
    numbers: list[Number] = [
        ({RANKS: ranks}, "iteration_time_s", seconds, "s", None)
        for ranks, seconds in ((4, 2.0), (16, 3.0), (64, 1.0))
    ]
    _, said = asked(tmp_path, "How does the time grow with the ranks?", numbers)
    assert "with 64" in said.findings[0]
    assert "efficiency" not in said.findings[0]


def channels(*pairs: tuple[int, int]) -> list[Number]:
    """As many channels as are good, whatever their buffers."""
    return [
        ({CHANNELS: count, FLITS: flits}, "accepted_rate", count / 10, "1", None)
        for count, flits in pairs
    ]


def test_numbers_that_vary_together_are_called_by_all_of_them(tmp_path: Path) -> None:
    question = "With equal memory, are few deep channels or many shallow ones better?"
    _, said = asked(tmp_path, question, channels((2, 32), (4, 16), (8, 8)))
    best, limit = said.findings
    assert best == (
        "8 VC buffer flits with 8 virtual channels (0.8) has the highest accepted rate, ahead of 16"
        " VC buffer flits with 4 virtual channels (0.4) by ×2.00; then 32 VC buffer flits with 2"
        " virtual channels (0.2)."
    )
    assert limit == (
        "VC buffer flits and virtual channels vary together, and their product is always 64: the"
        " sweep does not say which of them makes a difference."
    )


def test_a_figure_of_numbers_that_vary_together_names_all_of_them(tmp_path: Path) -> None:
    assert titles(tmp_path / "tied", channels((2, 32), (4, 16))) == [
        "Accepted rate by VC buffer flits and virtual channels"
    ]
    assert titles(tmp_path / "one", channels((2, 32), (2, 16))) == [
        "Accepted rate by VC buffer flits"
    ]


def test_a_product_that_varies_is_not_mentioned(tmp_path: Path) -> None:
    _, said = asked(tmp_path, "Which?", channels((2, 8), (4, 16), (8, 32)))
    assert said.findings[1].startswith("VC buffer flits and virtual channels vary together: ")


def test_numbers_that_vary_apart_are_not_tied(tmp_path: Path) -> None:
    _, said = asked(tmp_path, "Which?", channels((2, 8), (2, 16), (4, 8), (4, 16)))
    assert not any("vary together" in text for text in said.findings)


def test_where_the_lead_changes_along_sizes_each_number_of_ranks_has_a_sentence(
    tmp_path: Path,
) -> None:
    """At 4 ranks the tree loses from 4 KiB on, at 16 from 16 KiB on."""
    turn = {4: 4, 16: 16}
    numbers: list[Number] = [
        ({RANKS: ranks, "options.bcast_algorithm": name}, "collective_time_s",
         1.0 if (name == "binomial") == (kib < turn[ranks]) else 2.0, "s", kib * KIB)
        for ranks in turn for name in ("binomial", "chain") for kib in (1, 4, 16)
    ]  # fmt: skip
    _, said = asked(tmp_path, "Which is fastest at which size?", numbers)
    few, many = said.findings[:2]
    assert few.startswith("At 4 ranks: along message size, the lowest collective time is that of")
    assert "chain from 4 KiB on" in few
    assert many.startswith("At 16 ranks: ")
    assert "chain from 16 KiB on" in many or "chain at 16 KiB" in many


def test_a_number_that_kinds_of_networks_have_of_their_own_is_no_axis(tmp_path: Path) -> None:
    networks: list[dict[str, Any]] = [
        {"topology.kind": "torus", "topology.dimensions": 2, "topology.k": 8},
        {"topology.kind": "hypercube", "topology.dimensions": 6},
        {"topology.kind": "fat_tree", "topology.k": 4},
    ]
    numbers: list[Number] = [
        (where, "makespan_s", 1.0 + n, "s", None) for n, where in enumerate(networks)
    ]
    shown, _ = asked(tmp_path, "Which network is fastest?", numbers)
    assert shown == [("Bar", "topology.kind", "makespan_s")]


def test_jobs_are_all_shown(tmp_path: Path) -> None:
    numbers: list[Number] = [
        ({PLACES: place}, f"job{job}_{what}", 1.0 + n * job, unit, None)
        for n, place in enumerate(("linear", "random")) for job in (1, 2)
        for what, unit in (("slowdown", "1"), ("time_s", "s"))
    ]  # fmt: skip
    shown, _ = asked(tmp_path, "What do jobs cost each other?", numbers)
    assert shown == [("Bar", PLACES, "job1_slowdown"), ("Bar", PLACES, "job2_slowdown")]


def test_a_metric_that_only_some_programs_have_does_not_hide_the_others(tmp_path: Path) -> None:
    program = "workload.program"
    numbers: list[Number] = [
        ({program: "pingpong"}, "one_way_time_s", 1.0, "s", None),
        ({program: "allreduce"}, "collective_time_s", 2.0, "s", None),
        ({program: "pingpong"}, "program_time_s", 2.0, "s", None),
        ({program: "allreduce"}, "program_time_s", 3.0, "s", None),
    ]
    shown, _ = asked(tmp_path, "Is it so?", numbers)
    assert [y for _, _, y in shown] == ["one_way_time_s", "collective_time_s"]


def test_the_number_that_the_question_names_is_the_axis_whatever_is_swept_first(
    tmp_path: Path,
) -> None:
    """The rate grows with the buffers alone, by a tenth at the end."""
    numbers: list[Number] = [
        ({CHANNELS: channels, FLITS: flits}, "accepted_rate", rate, "1", None)
        for channels in (1, 2)
        for flits, rate in ((2, 0.2), (4, 0.5), (8, 0.55))
    ]
    question = "How deep must the buffers be until the rate no longer grows?"
    figures, box = asked(tmp_path, question, numbers)
    assert figures == [("Line", FLITS, "accepted_rate")]
    assert list(box.findings)[:2] == [
        "At 1 virtual channel: the accepted rate still rises at 8 VC buffer flits, the most tried:"
        " it is 0.55 there, ×1.10 that at 4.",
        "Other values of virtual channels change the accepted rate by at most 5%.",
    ]


WORKLOAD, TAPER = "workload", "topology.taper"


def test_workloads_are_no_alternatives_and_each_is_named(tmp_path: Path) -> None:
    numbers: list[Number] = [
        ({WORKLOAD: name, TAPER: taper}, "collective_time_s", us * taper * 1e-6, "s", None)
        for name, us in (("alltoall", 2), ("allgather", 1))
        for taper in (1, 2)
    ]
    _, box = asked(tmp_path, "How much slower do they become on a tapered tree?", numbers)
    assert list(box.findings)[:2] == [
        "alltoall: against 2 µs at a taper of 1, the collective time is ×2.00 with 2.",
        "allgather: against 1 µs at a taper of 1, the collective time is ×2.00 with 2.",
    ]


def test_workloads_with_metrics_of_their_own_are_named_and_come_first(tmp_path: Path) -> None:
    metrics = {"alltoall": "collective_time_s", "halo": "iteration_time_s"}
    numbers: list[Number] = [
        ({WORKLOAD: name, TAPER: taper}, metric, taper * 1e-6, "s", None)
        for name, metric in metrics.items()
        for taper in (1, 2)
    ]
    question = "How much slower do both become on a tapered tree?"
    _, box = asked(tmp_path, question, numbers, engines=("flow", "rdma"))
    first, second, *_ = box.findings
    assert first.startswith("For alltoall: against 1 µs at a taper of 1, the collective time is")
    assert second.startswith("For halo: against 1 µs at a taper of 1, the time of an iteration is")


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("Does a flow model suffice?", "packet"),
        ("Does rdma suffice?", "packet"),
        ("Is flow near rdma?", "rdma"),
        ("How far is packet from rdma?", "rdma"),
        ("Is rdma as good as packet?", "packet"),
    ],
)
def test_of_equal_fidelities_the_one_that_is_asked_about_or_simulates_flits_is_the_reference(
    question: str, reference: str, tmp_path: Path
) -> None:
    points = [
        point(each, {}, {"topology": {}, "options": {}}) for each in ("flow", "rdma", "packet")
    ]
    rows = [value(at, "makespan_s", 1.0, "s") for at in points]
    plan = make_plan("asked", points, [], question=question)
    with open_study(*stored(tmp_path, plan, rows, [run(at) for at in points]), CONFIGS) as study:
        assert highest(study, study.engines) == reference

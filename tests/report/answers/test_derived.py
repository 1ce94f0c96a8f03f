"""Without `answer:` the sweep and the figure decide what a page answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import packet_samples
import pytest
from answer_samples import sentences
from figure_samples import Answer, answered
from report_samples import CONFIGS, make_plan, point, run
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

pytestmark = pytest.mark.slow

RANKS = "workload.ranks"
BANDWIDTH, LATENCY = "network.bandwidth_bytes_per_s", "network.latency_s"


def said(
    folder: Path, answers: Sequence[Answer], figures: list[dict[str, Any]] | None = None
) -> list[str]:
    with open_study(*answered(folder, figures or [], answers, "s"), CONFIGS) as study:
        return list(answer(study, study_figures(study), [], coverage(study)).findings)


def test_over_loads_the_page_says_where_networks_saturate_whatever_is_swept_first(
    tmp_path: Path,
) -> None:
    (first, *_) = sentences(packet_samples.loads(tmp_path, []))
    assert first.startswith("The network saturates at injection rates between")


def test_of_several_numbers_the_page_says_which_matters_most(tmp_path: Path) -> None:
    """The time is 8 / bandwidth + latency, so at 1 and 2 of each: 9, 10, 5, 6."""
    answers: list[Answer] = [
        ("flow", {BANDWIDTH: b * 1e9, LATENCY: us * 1e-6}, "makespan_s", 8 / b + us)
        for b in (1, 2) for us in (1, 2)
    ]  # fmt: skip
    assert said(tmp_path, answers) == [
        "The completion time follows bandwidth most: with a bandwidth of 2 GB/s instead of 1 GB/s"
        " it is 40.0% to 44.4% lower (median 42.2%); with a latency of 2 µs instead of 1 µs it is"
        " 11.1% to 20.0% higher (median 15.6%).",
        "The completion time is lowest, 5 s, with a bandwidth of 2 GB/s and a latency of 1 µs.",
    ]


def test_a_key_that_is_best_in_the_middle_is_not_called_without_effect(tmp_path: Path) -> None:
    """At both ends of the buffers the time is the same, and in the middle a fifth of it."""
    flits, channels = "options.vc_buffer_flits", "options.virtual_channels"
    answers: list[Answer] = [
        ("packet", {flits: n, channels: c}, "makespan_s", time - c / 100)
        for n, time in ((2, 5.0), (4, 1.0), (8, 5.0)) for c in (1, 2)
    ]  # fmt: skip
    assert said(tmp_path, answers, [{"line": {"x": flits, "y": "makespan_s"}}]) == [
        "At 1 virtual channel: against 4.99 s at 2 VC buffer flits, the completion time is 80.2%"
        " lower with 4 and the same with 8.",
        "Other values of virtual channels change the completion time by at most 5%.",
    ]


def test_of_several_numbers_the_page_says_beyond_which_value_nothing_is_gained(
    tmp_path: Path,
) -> None:
    """From four flits on the link is full but for a thousandth."""
    answers: list[Answer] = [
        ("packet", {"options.vc_buffer_flits": flits, "options.virtual_channels": channels},
         "accepted_rate", channels * min(flits, 4 + flits / 1000) / 32)
        for flits in (2, 4, 8, 16) for channels in (1, 2, 4)
    ]  # fmt: skip
    figures = [{"line": {"x": "options.vc_buffer_flits", "y": "accepted_rate"}}]
    _, text = said(tmp_path, answers, figures)
    assert text == (
        "The accepted rate is highest, 0.502, with 16 VC buffer flits and 4 virtual channels;"
        " beyond 4 VC buffer flits it changes by at most 5%, all else equal."
    )


def test_the_best_numbers_are_counted_over_what_else_differs(tmp_path: Path) -> None:
    """Deep buffers are best of two programs, shallow ones of the third."""
    seconds = {"bcast": (4.0, 1.0), "alltoall": (8.0, 2.0), "barrier": (1.0, 1.5)}
    answers: list[Answer] = [
        ("flow", {BANDWIDTH: b * 1e9, LATENCY: us * 1e-6, "workload.program": name},
         "program_time_s", time + us)
        for name, pair in seconds.items() for b, time in zip((1, 2), pair, strict=True)
        for us in (1, 2)
    ]  # fmt: skip
    figures = [{"line": {"x": BANDWIDTH, "y": "program_time_s"}}]
    _, text = said(tmp_path, answers, figures)
    assert text == (
        "The program time is lowest with a bandwidth of 2 GB/s and a latency of 1 µs in 2 of 3"
        " cases."
    )


def test_of_many_numbers_beside_ranks_the_page_says_which_matters_most(tmp_path: Path) -> None:
    """A figure over ranks shows means over more than four of them; yet they are no alternatives."""
    answers: list[Answer] = [
        ("flow", {BANDWIDTH: b * 1e9, LATENCY: us * 1e-6, RANKS: 4}, "makespan_s", 8 / b + us)
        for b in (1, 2) for us in (1, 2, 4, 8, 16)
    ]  # fmt: skip
    text, best = said(tmp_path, answers, [{"line": {"x": RANKS, "y": "makespan_s"}}])
    assert text.startswith("The completion time follows latency most: with a latency of 16 µs")
    assert "with a bandwidth of 2 GB/s instead of 1 GB/s it is" in text
    assert best == (
        "The completion time is lowest, 5 s, with a bandwidth of 2 GB/s and a latency of 1 µs."
    )


def test_behind_the_best_network_a_page_says_how_each_scales(tmp_path: Path) -> None:
    times = {"torus": (4.0, 1.0), "mesh": (4.0, 2.0)}
    answers: list[Answer] = [
        ("flow", {"topology.kind": kind, RANKS: ranks}, "program_time_s", seconds)
        for kind, pair in times.items() for ranks, seconds in zip((4, 16), pair, strict=True)
    ]  # fmt: skip
    _, torus, mesh = said(tmp_path, answers, [{"line": {"x": RANKS, "y": "program_time_s"}}])
    assert "torus" in torus
    assert "4 times the ranks make it ×4.00 faster, an efficiency of 100%" in torus
    assert "4 times the ranks make it ×2.00 faster, an efficiency of 50%" in mesh


def test_a_figure_of_scaling_asks_how_far_a_program_scales(tmp_path: Path) -> None:
    answers: list[Answer] = [
        ("flow", {RANKS: ranks}, metric, value)
        for ranks, seconds in ((4, 4.0), (16, 2.0))
        for metric, value in (("program_time_s", seconds), ("exposed_share", ranks / 100))
    ]
    figures = [{"scaling": {"of": "program_time_s"}}, {"line": {"x": RANKS, "y": "exposed_share"}}]
    time, share = said(tmp_path, answers, figures)
    assert "4 times the ranks make it ×2.00 faster, an efficiency of 50%" in time
    assert "the exposed share is" in share


def test_more_than_four_networks_are_called_by_their_kinds(tmp_path: Path) -> None:
    """Each has keys of its own, which tell it apart as well, and are no names."""
    kinds = {"mesh": "sizes", "torus": "k", "hypercube": "dimensions", "fat_tree": "levels",
             "dragonfly": "p"}  # fmt: skip
    keys = dict.fromkeys(f"topology.{key}" for key in kinds.values())
    answers: list[Answer] = [
        ("flow", {**keys, f"topology.{key}": 4, "topology.kind": kind}, "makespan_s", n)
        for n, (kind, key) in enumerate(kinds.items(), 1)
    ]
    (text, *_) = said(tmp_path, answers, [{"bar": {"x": "engine", "y": "makespan_s"}}])
    assert text.startswith("mesh (1 s) has the lowest completion time, ahead of torus (2 s)")


def test_programs_do_not_compete_beside_a_number_of_the_network(tmp_path: Path) -> None:
    """Nobody asks whether an allreduce is quicker than an all-to-all."""
    answers: list[Answer] = [
        ("flow", {"topology.taper": taper, "workload.program": name}, "program_time_s", s * taper)
        for name, s in (("alltoall", 4.0), ("allreduce", 1.0)) for taper in (1, 2)
    ]  # fmt: skip
    figures = [{"bar": {"x": "topology.taper", "y": "program_time_s", "color": "workload.program"}}]
    assert said(tmp_path, answers, figures) == [
        "alltoall: against 4 s at a taper of 1, the program time is ×2.00 with 2.",
        "allreduce: against 1 s at a taper of 1, the program time is ×2.00 with 2.",
    ]


def test_numbers_of_a_workload_do_not_compete_with_those_of_the_network(tmp_path: Path) -> None:
    """How long bursts are is given; the question is which buffers they need."""
    flits, burst = "options.vc_buffer_flits", "workload.burst_messages"
    answers: list[Answer] = [
        ("packet", {flits: n, burst: length}, "makespan_s", length * (4.0 if n < 4 else 1.0))
        for length in (2, 16) for n in (2, 4, 8)
    ]  # fmt: skip
    found = said(tmp_path, answers, [{"line": {"x": flits, "y": "makespan_s"}}])
    assert found == [
        "burst messages 2: against 8 s at 2 VC buffer flits, the completion time is 75.0% lower"
        " with 4 and 75.0% lower with 8.",
        "burst messages 16: against 64 s at 2 VC buffer flits, the completion time is 75.0% lower"
        " with 4 and 75.0% lower with 8.",
    ]


def test_a_page_of_costs_answers_what_engines_cost(tmp_path: Path) -> None:
    answers: list[Answer] = []
    for engine, seconds in (("flow", 1.0), ("packet", 5.0)):
        for ranks in (4, 8):
            answers += [(engine, {"workload.ranks": ranks}, "cpu_s", seconds),
                        (engine, {"workload.ranks": ranks}, "program_time_s", 1.0)]  # fmt: skip
    (first, *_) = said(tmp_path, answers, [{"line": {"x": "workload.ranks", "y": "cpu_s"}}])
    assert first.startswith(
        "The same 2 points take 1.018 s of CPU time in flow and 5.018 s in packet"
    )


def test_a_map_of_values_says_where_the_best_is_and_what_comes_near(tmp_path: Path) -> None:
    rates = {(2, 1): 0.2, (2, 4): 0.5, (4, 1): 0.5, (4, 4): 0.96, (8, 1): 0.95, (8, 4): 1.0}
    answers: list[Answer] = [
        ("packet", {"options.vc_buffer_flits": flits, "options.virtual_channels": vcs},
         "accepted_rate", rate)
        for (flits, vcs), rate in rates.items()
    ]  # fmt: skip
    heat = {"map": {"x": "options.vc_buffer_flits", "y": ["options.virtual_channels"],
                    "value": "accepted_rate"}}  # fmt: skip
    (text,) = said(tmp_path, answers, [heat])
    assert text == (
        "The highest accepted rate, 1, is at 4 virtual channels, 8 VC buffer flits; 3 of 6"
        " cells are within 10% of it: along VC buffer flits from 8 on (virtual channels 1) and from"
        " 4 on (virtual channels 4)."
    )


def test_the_verdict_says_which_model_ranks_differently(tmp_path: Path) -> None:
    times = {"flow": {"mesh": 1.0, "torus": 2.0}, "packet": {"mesh": 3.0, "torus": 2.0}}
    answers: list[Answer] = [
        (engine, {"topology.kind": kind}, "makespan_s", seconds)
        for engine, own in times.items()
        for kind, seconds in own.items()
    ]
    (first, *_) = said(tmp_path, answers)
    assert first == (
        "torus (2 s) has the lowest completion time, ahead of mesh (3 s) by ×1.50 (packet; flow"
        " puts mesh first)."
    )


def test_the_table_of_a_verdict_marks_the_best_and_what_is_level(tmp_path: Path) -> None:
    times = {("mesh", 2): 1.0, ("mesh", 4): 6.0, ("torus", 2): 1.0, ("torus", 4): 1.0}
    answers: list[Answer] = [
        ("flow", {"topology.kind": kind, "topology.k": k}, "makespan_s", seconds)
        for (kind, k), seconds in times.items()
    ]
    figures = [{"line": {"x": "topology.k", "y": "makespan_s"}}]
    with open_study(*answered(tmp_path, figures, answers, "s"), CONFIGS) as study:
        (table,) = answer(study, study_figures(study), [], coverage(study)).tables
    assert table.columns == ("2", "4")
    cells = {name: [(c.text, c.state, c.shade) for c in row] for name, row in table.rows}
    assert cells == {
        "torus": [("1 s", "level", 0), ("1 s", "best", 0)],
        "mesh": [("1 s", "level", 0), ("6 s (×6.00)", "behind", 4)],
    }


def test_of_failures_the_first_question_is_who_loses_least(tmp_path: Path) -> None:
    failed = "topology.failed.links"
    times = {"ecmp": (10.0, 14.0), "layered": (11.0, 12.0)}
    answers: list[Answer] = [
        ("flow", {"topology.routing": routing, failed: links}, "makespan_s", seconds)
        for routing, own in times.items()
        for links, seconds in zip((0, 4), own, strict=True)
    ]
    (first, *_) = said(tmp_path, answers, [{"line": {"x": failed, "y": "makespan_s"}}])
    assert first == (
        "layered loses least with 4 failed links: its completion time is 9.1% higher, that of ecmp"
        " 40.0% higher."
    )


def test_nobody_loses_least_within_the_scatter(tmp_path: Path) -> None:
    failed = "topology.failed.links"
    times = {"a": ((9.0, 11.0), (8.0, 13.0)), "b": ((9.0, 11.0), (7.0, 15.0))}
    points, metrics = [], []
    for routing, own in times.items():
        for links, draws in zip((0, 4), own, strict=True):
            for seed, seconds in enumerate(draws):
                where = {"topology.routing": routing, failed: links}
                spec = {"topology": {"kind": "torus"}, "options": {"asked": dict(where)}}
                points.append(point("flow", where, spec, seed))
                metrics.append(packet_samples.value(points[-1], "makespan_s", seconds, "s"))
    figures = [{"line": {"x": failed, "y": "makespan_s", "color": "topology.routing"}}]
    plan = make_plan("failed", points, figures)
    built = packet_samples.stored(tmp_path, plan, metrics, [run(at) for at in points])
    with open_study(*built, CONFIGS) as study:
        (first, *_) = answer(study, study_figures(study), [], coverage(study)).findings
    assert first == (
        "a and b lose alike with 4 failed links, within the scatter of 2 replicates: their"
        " completion time is 5.0% higher and 10.0% higher."
    )


def test_at_few_places_each_is_named_with_its_best(tmp_path: Path) -> None:
    times = {"mesh": (1.0, 4.0, 4.0), "torus": (2.0, 2.0, 2.0), "fly": (3.0, 3.0, 1.0)}
    answers: list[Answer] = [
        ("flow", {"topology.kind": kind, "workload.pattern": pattern}, "makespan_s", seconds)
        for kind, own in times.items()
        for pattern, seconds in zip(("shuffle", "tornado", "uniform"), own, strict=True)
    ]
    (first, *_) = said(tmp_path, answers, [{"bar": {"x": "workload.pattern", "y": "makespan_s"}}])
    assert first == (
        "shuffle: mesh (1 s) has the lowest completion time, ahead of torus (2 s) by ×2.00;"
        " tornado: torus (2 s), ahead of fly (3 s) by ×1.50; uniform: fly (1 s), ahead of torus"
        " (2 s) by ×2.00."
    )


def test_a_bound_that_holds_for_some_values_names_them(tmp_path: Path) -> None:
    """With two channels deeper buffers do not help beyond 4 flits; with one they do."""
    flits, channels = "options.vc_buffer_flits", "options.virtual_channels"
    rates = {1: (0.2, 0.3, 0.4), 2: (0.4, 0.6, 0.61)}
    answers: list[Answer] = [
        ("packet", {flits: n, channels: c}, "accepted_rate", rate)
        for c, own in rates.items()
        for n, rate in zip((2, 4, 8), own, strict=True)
    ]
    _, best, *_ = said(tmp_path, answers, [{"line": {"x": flits, "y": "accepted_rate"}}])
    assert best.endswith(
        "beyond 4 VC buffer flits with virtual channels 2 it changes by at most 5%, all else equal."
    )


def test_a_lead_that_grows_says_from_where_on_it_matters(tmp_path: Path) -> None:
    times = {"slow": (10.0, 5.2, 3.0, 2.5), "fast": (9.9, 5.0, 2.5, 1.3)}
    answers: list[Answer] = [
        ("flow", {"topology.kind": kind, RANKS: ranks}, "program_time_s", seconds)
        for kind, own in times.items()
        for ranks, seconds in zip((2, 4, 8, 16), own, strict=True)
    ]
    (first, *_) = said(tmp_path, answers, [{"line": {"x": RANKS, "y": "program_time_s"}}])
    assert first == (
        "fast has the lowest program time at all 4 values of ranks, ahead of slow by ×1.01 to ×1.92"
        " (median ×1.12), from 8 on by more than 10%."
    )


def test_a_ratio_asks_how_far_engines_are_from_the_one_below_the_bar(tmp_path: Path) -> None:
    times = {"flow": 1.2, "rdma": 1.0, "packet": 2.0}
    answers: list[Answer] = [
        (engine, {RANKS: ranks}, "makespan_s", seconds)
        for engine, seconds in times.items()
        for ranks in (2, 4)
    ]
    ratio = {"x": RANKS, "y": "makespan_s", "of": ["flow", "rdma"], "to": "packet"}
    found = said(tmp_path, answers, [{"ratio": ratio}])
    assert [text.partition(" of packet")[0] for text in found[:2]] == [
        "flow gives the completion time within ×1.67 (median)",
        "rdma gives the completion time within ×2.00 (median)",
    ]


def test_ranks_are_worth_their_while_while_each_does_half_of_its_work(tmp_path: Path) -> None:
    answers: list[Answer] = [
        ("flow", {RANKS: ranks}, "program_time_s", seconds)
        for ranks, seconds in ((2, 8.0), (4, 4.4), (8, 3.0), (16, 2.5))
    ]
    (first, *_) = said(tmp_path, answers, [{"line": {"x": RANKS, "y": "program_time_s"}}])
    assert first.endswith(" an efficiency of 40%, and of at least 50% up to 8.")


def test_a_model_may_suffice_up_to_a_value(tmp_path: Path) -> None:
    times = {("bcast", 2): 1.0, ("bcast", 4): 1.05, ("bcast", 8): 1.5, ("alltoall", 2): 1.0,
             ("alltoall", 4): 1.0, ("alltoall", 8): 1.0}  # fmt: skip
    answers: list[Answer] = [
        (engine, {"workload.program": program, RANKS: ranks}, "program_time_s", seconds)
        for (program, ranks), off in times.items()
        for engine, seconds in (("flow", off), ("packet", 1.0))
    ]
    figures = [{"line": {"x": RANKS, "y": "program_time_s", "row": "workload.program"}}]
    text = (
        "Within 10% of packet in program time, flow suffices for alltoall; for bcast flow up to 4"
        " ranks, beyond by up to ×1.50."
    )
    assert text in said(tmp_path, answers, figures)


def test_a_model_that_is_off_at_one_of_two_values_of_a_place_does_not_reach_it(
    tmp_path: Path,
) -> None:
    """At 4 ranks it is near on the mesh and off on the torus."""
    off = {(2, "mesh"): 1.0, (2, "torus"): 1.0, (4, "mesh"): 1.0, (4, "torus"): 1.5,
           (8, "mesh"): 1.0, (8, "torus"): 1.0}  # fmt: skip
    answers: list[Answer] = [
        (engine, {"workload.program": program, RANKS: ranks, "topology.kind": kind},
         "program_time_s", seconds)
        for (ranks, kind), by in off.items()
        for program in ("alltoall", "bcast")
        for engine, seconds in (("flow", by), ("packet", 1.0))
    ]  # fmt: skip
    figures = [{"line": {"x": RANKS, "y": "program_time_s", "row": "workload.program"}}]
    found = said(tmp_path, answers, figures)
    assert any("none suffices for alltoall and bcast" in text for text in found)
    assert not any("up to 4 ranks, beyond" in text for text in found)


def test_each_panel_of_a_figure_has_a_model_that_suffices(tmp_path: Path) -> None:
    """`flow` is right about the first program only, `model` about none."""
    times = {"model": (1.5, 3.0), "flow": (1.05, 1.5), "packet": (1.0, 1.0)}
    answers: list[Answer] = [
        (engine, {"workload.program": program, "message_bytes": 8}, "makespan_s", seconds)
        for engine, own in times.items()
        for program, seconds in zip(("alltoall", "bcast"), own, strict=True)
    ]
    figures = [{"line": {"x": "message_bytes", "y": "makespan_s", "row": "workload.program"}}]
    with open_study(*answered(tmp_path, figures, answers, "s"), CONFIGS) as study:
        found = answer(study, study_figures(study), [], coverage(study))
    assert found.findings[0] == (
        "Within 10% of packet in completion time, flow suffices for alltoall; none suffices for"
        " bcast: the nearest is off by up to ×1.50; model is off by up to ×3.00."
    )
    (table,) = found.tables
    assert table.columns == ("alltoall", "bcast")
    cells = {name: [(c.text, c.state, c.shade) for c in row] for name, row in table.rows}
    assert cells == {
        "model": [("×1.50", "behind", 2), ("×3.00", "behind", 3)],
        "flow": [("×1.05", "best", 0), ("×1.50", "behind", 2)],
    }


def test_over_the_arguments_of_a_program_the_page_says_how_the_metric_goes(tmp_path: Path) -> None:
    answers: list[Answer] = [
        (engine, {"workload.arguments": f'["4x4", "{n}"]'}, "program_time_s", seconds)
        for engine in ("flow", "rdma") for n, seconds in ((0, 1.0), (10, 2.0), (20, 4.0))
    ]  # fmt: skip
    assert said(tmp_path, answers)[0] == (
        "The program time rises from 1 s at argument 2 = 0 to 4 s at argument 2 = 20; it has not"
        " settled there (rdma)."
    )

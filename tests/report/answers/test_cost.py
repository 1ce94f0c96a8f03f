"""The question `cost`: what each engine costs for the same points, and which is good enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import packet_samples
import pytest
from answer_samples import sentences
from report_samples import Row, make_plan, point, run

pytestmark = pytest.mark.slow

LINE = {"line": {"x": "topology.k", "y": "makespan_s"}}
BAR = {"bar": {"x": "topology.k", "y": "cpu_s"}}
#: By engine the CPU time of a point, and the makespans at k = 4 and k = 8.
THREE = {"flow": (0.01, 1.2e-6, 2.0e-6), "rdma": (0.05, 1.0e-6, 2.1e-6),
         "packet": (1.0, 1.0e-6, 2.0e-6)}  # fmt: skip


def told(
    folder: Path, engines: dict[str, tuple[float, ...]], question: Row | None = None, **more: Any
) -> list[str]:
    points, metrics, runs = [], [], []
    for engine, (cpu_s, *makespans) in engines.items():
        places = (16,) if engine == more.get("elsewhere") else (4, 8)
        for k, seconds in zip(places, makespans, strict=False):
            spec: Row = {"topology": {"k": k}, "workload": {"kind": "messages"}, "options": {}}
            points.append(point(engine, {"topology.k": k}, spec))
            value = packet_samples.value(points[-1], "makespan_s", seconds, "s")
            metrics.append({**value, "flag": more.get("flag") if k == 4 else None})
            runs.append(run(points[-1], cpu_s=cpu_s))
    plan = make_plan("costs", points, [LINE, *([] if question else [BAR])])
    asked = [{"kind": "cost", **question}] if question is not None else []
    plan = replace(plan, stored_report={**plan.stored_report, "answer": asked})
    return sentences(packet_samples.stored(folder, plan, metrics, runs))


def test_each_engine_has_its_cost_beside_the_cheapest(tmp_path: Path) -> None:
    said = told(tmp_path, THREE, {"to": "packet", "within": 0.06})
    assert said == [
        "The same 2 points take 20 ms of CPU time in flow, 100 ms in rdma (×5.00) and 2 s in packet"
        " (×100).",
        "Good enough for the completion time is rdma, for 100 ms: the cheapest model within 6% of"
        " packet at all 2 values.",
    ]


def test_the_cheaper_of_two_that_suffice_is_named(tmp_path: Path) -> None:
    assert "is flow, for 20 ms" in told(tmp_path, THREE, {"to": "packet", "within": 0.25})[1]


def test_where_none_suffices_the_nearest_is_named(tmp_path: Path) -> None:
    assert told(tmp_path, THREE, {"to": "packet", "within": 0.01})[1] == (
        "No model is good enough for the completion time everywhere: flow, for 20 ms, is within 1%"
        " of packet at 1 of 2 values, and no other at more of them."
    )
    far = {"flow": (0.01, 5e-6, 5e-6), "packet": THREE["packet"]}
    assert told(tmp_path / "far", far, {})[1] == (
        "No model is good enough for the completion time: none is within 10% of packet at any of"
        " 2 values."
    )


def test_a_model_that_costs_more_than_its_reference_is_not_named(tmp_path: Path) -> None:
    said = told(tmp_path, {"rdma": THREE["rdma"], "packet": THREE["packet"]}, {"to": "rdma"})
    assert len(said) == 1


def test_only_points_that_all_engines_answered_are_compared(tmp_path: Path) -> None:
    shorter = {**THREE, "packet": (1.0, 1.0e-6)}
    (said, *_) = told(tmp_path, shorter, {})
    assert said == (
        "The same point takes 10 ms of CPU time in flow, 50 ms in rdma (×5.00) and 1 s in packet"
        " (×100)."
    )


def test_a_flagged_value_judges_no_model(tmp_path: Path) -> None:
    said = told(tmp_path, THREE, {"to": "packet", "within": 0.01}, flag="ranks had no processor")
    assert said[-1] == (
        "Good enough for the completion time is flow, for 20 ms, which is within 1% of packet."
    )


def test_a_figure_of_the_cost_asks_for_it(tmp_path: Path) -> None:
    said = told(tmp_path, THREE)
    assert any(text.startswith("The same 2 points take 20 ms of CPU") for text in said)


def test_one_engine_alone_is_compared_with_nothing(tmp_path: Path) -> None:
    assert not [text for text in told(tmp_path, {"flow": THREE["flow"]}) if "CPU time" in text]


def test_costs_without_a_common_point_are_said_of_a_question_alone(tmp_path: Path) -> None:
    apart = {"flow": (0.01, 1e-6), "packet": (1.0, 2e-6)}
    asked = told(tmp_path, apart, {}, elsewhere="packet")
    assert asked == ["flow and packet share no point, so their costs cannot be compared."]
    assert not [text for text in told(tmp_path / "figures", apart, elsewhere="packet")
                if "cost" in text]  # fmt: skip


def test_series_without_a_common_point_are_compared_along_the_axis_of_the_figure(
    tmp_path: Path,
) -> None:
    points, metrics, runs = [], [], []
    for engine, routing, cpu_s in (("flow", "dmodk", 0.5), ("packet", "nca", 10.0)):
        for k in (4, 8):
            spec: Row = {"topology": {"k": k, "routing": routing}, "options": {}}
            points.append(point(engine, {"topology.k": k, "topology.routing": routing}, spec))
            metrics.append(packet_samples.value(points[-1], "makespan_s", 1e-6, "s"))
            runs.append(run(points[-1], cpu_s=cpu_s))
    plan = make_plan("costs", points, [LINE, BAR])
    said = sentences(packet_samples.stored(tmp_path, plan, metrics, runs))
    assert "The same 2 values of k take 1 s of CPU time in flow and 20 s in packet (×20)." in said


def test_where_only_costs_are_drawn_nothing_else_is_judged_but_how_they_grow(
    tmp_path: Path,
) -> None:
    points, runs, metrics = [], [], []
    for engine, costs in {"flow": (1.0, 2.0), "packet": (10.0, 60.0)}.items():
        for k, cpu_s in zip((4, 8), costs, strict=True):
            spec: Row = {"topology": {"k": k}, "workload": {"kind": "messages"}, "options": {}}
            points.append(point(engine, {"topology.k": k}, spec))
            metrics.append(packet_samples.value(points[-1], "makespan_s", 1.0, "s"))
            runs.append(run(points[-1], cpu_s=cpu_s))
    plan = make_plan("costs", points, [BAR])
    assert sentences(packet_samples.stored(tmp_path, plan, metrics, runs)) == [
        "The same 2 points take 3 s of CPU time in flow and 70 s in packet (×23.3).",
        "Along k, packet costs ×10 as much as flow at 4 and ×30 at 8.",
    ]

"""What predictions leave out stands in the answer box."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import packet_samples
import pytest
from answer_samples import LINE, one_engine, sentences, stored
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.config.language.condition import Condition, parse_condition
from weft.config.model.engine import declared_engines
from weft.config.model.own_programs import FREE_COMPUTING
from weft.report.data import fidelity
from weft.report.data.caveats import Caveat
from weft.report.data.fidelity import left_out
from weft.report.data.source import open_study


@pytest.mark.slow
def test_what_a_prediction_leaves_out_depends_on_its_points(tmp_path: Path) -> None:
    omitted = [["always so", None], ["no time", "network.hop_latency_s == 0"],
               ["not here", "topology.kind == torus"]]  # fmt: skip
    engines = {"flow": {"fidelity": "flow", "leaves_out": omitted}}
    built = stored(tmp_path, one_engine(("mesh", 4, 1e-6)), [{"line": LINE}], engines=engines)
    with open_study(*built, CONFIGS) as study:
        ((only),) = left_out(study)
    assert (only.engines, only.texts) == (("flow",), ("always so", "no time"))
    assert only.caveat == Caveat("flow leaves out 2 things.", "Always so; no time.")


@pytest.mark.slow
def test_what_several_predictions_leave_out_is_said_once(tmp_path: Path) -> None:
    engines: Row = {
        "flow": {"fidelity": "flow", "leaves_out": [["no computing", None], ["no packets", None]]},
        "rdma": {"fidelity": "packet", "leaves_out": [["no computing", None]]},
    }
    values = [(name, "mesh", 4, 0, 1e-6) for name in ("flow", "rdma")]
    built = stored(tmp_path, values, [{"line": LINE}], engines=engines)
    with open_study(*built, CONFIGS) as study:
        said = [each.caveat.text for each in left_out(study)]
    assert said == ["flow and rdma leave out one thing. No computing.",
                    "flow leaves out one thing. No packets."]  # fmt: skip


@pytest.mark.slow
def test_a_condition_is_parsed_once_for_all_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[object] = []

    def counted(text: object) -> Condition:
        parsed.append(text)
        return parse_condition(text)

    monkeypatch.setattr(fidelity, "parse_condition", counted)
    engines = {"flow": {"fidelity": "flow", "leaves_out": [["none", "topology.kind == torus"]]}}
    values = one_engine(*(("mesh", k, 1e-6) for k in range(2, 8)))
    with open_study(*stored(tmp_path, values, [{"line": LINE}], engines=engines), CONFIGS) as study:
        assert left_out(study) == []
    assert parsed == ["topology.kind == torus"]


@pytest.mark.slow
def test_computing_is_said_to_be_left_out_of_programs_that_may_compute(tmp_path: Path) -> None:
    (computing,) = [
        each.text
        for each in declared_engines(CONFIGS)["rdma"].capabilities.leaves_out
        if "computing takes no time" in each.text
    ]
    facts = {
        "rdma": {
            "fidelity": "packet",
            "leaves_out": [
                [each.text, each.when]
                for each in declared_engines(CONFIGS)["rdma"].capabilities.leaves_out
            ],
        }
    }
    own: Row = {"kind": "program", "source": "configs/experiment/my_solver.c"}
    other: Row = {"kind": "program", "source": "programs/pingpong.c"}
    workloads: list[tuple[Row, list[str]]] = [
        (other, []),
        (own, [computing]),
        ({"kind": "program", "ranks": 4, "jobs": [other, other]}, []),
        ({"kind": "program", "ranks": 4, "jobs": [other, own]}, [computing]),
    ]
    for number, (workload, expected) in enumerate(workloads):
        options: Row = {"ranks_per_node": 1, "compute": "declared"}
        spec: Row = {"topology": {}, "network": {}, "options": options, "workload": workload}
        at = point("rdma", {}, spec)
        plan = make_plan("computes", [at], [])
        plan = replace(plan, stored_report={**plan.stored_report, "engines": facts})
        value = packet_samples.value(at, "program_time_s", 1e-6, "s")
        stored_at = packet_samples.stored(tmp_path / str(number), plan, [value], [run(at)])
        with open_study(*stored_at, CONFIGS) as study:
            assert [text for each in left_out(study) for text in each.texts] == expected


def test_computing_that_was_measured_is_said_to_be_measured() -> None:
    texts = {
        each.text: parse_condition(str(each.when))
        for each in declared_engines(CONFIGS)["rdma"].capabilities.leaves_out
    }

    def said(compute: str) -> list[str]:
        facts = {"workload.kind": "program", "workload.source": "my_solver.c",
                 "options.compute": compute, "options.ranks_per_node": 1}  # fmt: skip
        return [text for text, when in texts.items() if when.holds(facts.get)]

    (declared,), (measured,) = said("declared"), said("measured")
    assert declared.startswith(FREE_COMPUTING)
    assert measured.startswith("computing takes the processor time that was measured")


@pytest.mark.slow
def test_free_computing_is_a_warning_beside_the_time_of_the_machine(tmp_path: Path) -> None:
    free = [["computing takes no time in this prediction: what is between calls is left out", None]]
    engines: Row = {"flow": {"fidelity": "flow", "leaves_out": free}}
    measured: Row = {"hardware": {"fidelity": "machine", "leaves_out": []}}
    values = [(name, "mesh", 4, 0, 1e-6) for name in ("flow", "hardware")]
    words = "Computing is free in the predictions of flow. They leave out what the program does"
    for number, (rows, facts, warns) in enumerate((
        (values, engines | measured, True),
        (values[:1], engines, False),
        (values, measured, False),
    )):  # fmt: skip
        built = stored(tmp_path / str(number), rows, [{"line": LINE}], engines=facts)
        assert [text.startswith(words) for text in sentences(built)][:1] == [warns]
        with open_study(*built, CONFIGS) as study:
            noted = [text for each in left_out(study) for text in each.texts]
        # What the warning says is not said a second time.
        assert any(text.startswith(FREE_COMPUTING) for text in noted) == (
            not warns and "flow" in facts
        )


def test_messages_without_data_are_said_where_a_program_may_read_them() -> None:
    notes = declared_engines(CONFIGS)["rdma"].capabilities.leaves_out
    (when,) = [each.when for each in notes if "messages carry no data" in each.text]
    condition = parse_condition(str(when))

    def is_said(source: str, payload: str) -> bool:
        facts = {"workload.kind": "program", "workload.source": source, "options.payload": payload}
        return condition.holds(facts.get)

    assert is_said("my_solver.c", "sizes")
    assert not is_said("my_solver.c", "delivered")
    assert not is_said("programs/pingpong.c", "sizes")


def test_engines_with_static_routes_say_that_random_ties_are_drawn_for_each_pair() -> None:
    """Draws for each packet make another network: 1.17 times as slow on a small torus."""
    when = "topology.ties == random"
    engines = declared_engines(CONFIGS)
    says = {
        name
        for name, engine in engines.items()
        if any(when == str(left.when) for left in engine.capabilities.leaves_out)
    }
    assert says == {"flow", "rdma", "simgrid", "smpi"}

"""Conditions compare keys with values and with each other."""

import pytest
from weft.config.language.condition import parse_condition

VALUES = {
    "topology.k": 4,
    "options.window": 8,
    "topology.kind": "torus",
    "network.latency": "1 us",
    "options.vcs": "per_destination",
    "options.tables": ["links"],
}


@pytest.mark.parametrize(
    "text",
    [
        "topology.k < 5",
        "topology.k <= 4",
        "topology.k > 3 and topology.k >= 4",
        "topology.k < options.window",
        "topology.k != options.window",
        "topology.k % 3 == 1",
        "options.window % 2 in [0, 3]",
        "network.latency < 2 us",
        "network.latency > 900 ns",
        "topology.kind not in [mesh, fly]",
        "topology.size == null",
        "options.tables contains links",
        "number of options.tables == 1",
        "number of topology.size == 0",
    ],
)
def test_holds(text):
    assert parse_condition(text).holds(VALUES.get)


@pytest.mark.parametrize(
    "text",
    [
        "topology.k < 4",
        "topology.k >= options.window",
        "topology.k % 2 == 1",
        "network.latency < 1 us",
        "options.vcs < 2",
        "options.vcs >= 2",
        "options.vcs % 2 == 1",
        "topology.size < 3",
        "options.tables > 3",
        "network.latency < 2 B",
        "options.tables contains nodes",
        "topology.kind contains torus",
        "number of options.tables > 1",
    ],
)
def test_does_not_hold(text):
    assert not parse_condition(text).holds(VALUES.get)


@pytest.mark.parametrize(
    "text", ["topology.k", "topology.k % 0 == 1", "topology.k < torus", "k ~ 2"]
)
def test_no_condition(text):
    with pytest.raises(ValueError, match=r"is not a condition|compares numbers"):
        parse_condition(text)


@pytest.mark.parametrize(
    "text",
    [
        "topology.kind == torus or topology.kind == mesh",
        "topology.kind == torus || topology.kind == mesh",
        "topology.k > 2 && topology.k < 8",
        "topology.kind == torus or mesh",
    ],
)
def test_only_and_joins_terms(text):
    with pytest.raises(ValueError, match="only `and` joins terms"):
        parse_condition(text)


def test_a_quoted_word_may_hold_any_text():
    assert parse_condition("name == 'this or that'").holds({"name": "this or that"}.get)


def test_a_sweep_compares_keys(tree):
    from weft.plan import expand

    tree.experiment(
        "defaults: [override /topology: torus]\nsweep:\n  topology.k: [2, 4]\n"
        "  workload.per_node: {when: topology.k < workload.outstanding, values: [7]}\n"
        "workload: {outstanding: 3}\n"
    )
    asked = [point.spec["workload"]["per_node"] for point in expand(tree.load())]
    assert asked == [7, 10]


def test_an_unknown_key_on_the_right_is_reported(tree):
    tree.refuses(
        "sweep: {workload.per_node: {when: topology.nodes < workload.outstandin, values: [7]}}\n",
        "sweep.workload.per_node.when",
        "did you mean 'workload.outstanding'?",
    )

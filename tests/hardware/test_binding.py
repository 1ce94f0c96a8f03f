"""Binding, judged by what ranks saw."""

import pytest
from weft.engines.hardware.binding import binding, crowded_hosts

ONE_SOCKET = {"sockets": ["0", "0"], "numas": ["0", "0"]}


def judged(asked, hosts, cores, **others):
    places = {"cpus": cores, "cores": cores, **ONE_SOCKET, **others}
    return binding(asked, hosts, places)


def test_one_core_for_each_is_well_bound():
    found = judged("core", ["a", "a"], ["0", "1"])
    assert found == {"asked": "core", "found": ["0", "1"], "ok": True, "problem": None}


def test_an_unbound_rank_is_reported_although_binding_was_asked():
    found = judged("core", ["a", "b"], ["0", "0-3"])
    assert not found["ok"]
    assert found["problem"] == "asked for one core, but rank 1 on b may use cores 0-3"


def test_both_threads_of_one_core_are_one_core():
    found = judged("core", ["a", "b"], ["0", "0"], cpus=["0,4", "0,4"])
    assert found["ok"]


def test_two_ranks_of_one_host_on_the_same_core_are_reported_even_unasked():
    for asked in ("core", "none"):
        assert judged(asked, ["a", "a"], ["1", "1"])["problem"] == "ranks 0 and 1 on a share core 1"


def test_the_same_core_of_two_hosts_is_no_problem():
    assert judged("core", ["a", "b"], ["0", "0"])["ok"]


def test_nothing_asked_is_nothing_wrong():
    assert judged("none", ["a", "a"], ["0-3", "0-3"])["ok"]


@pytest.mark.parametrize(("asked", "key"), [("socket", "sockets"), ("numa", "numas")])
def test_a_rank_across_two_parts_of_the_node_is_reported(asked, key):
    found = judged(asked, ["a", "a"], ["0-3", "4-7"], **{key: ["0", "0-1"]})
    assert found["problem"] == f"asked for one {asked}, but rank 1 on a may use {key} 0-1"


def test_a_system_that_does_not_say_is_a_problem_when_binding_was_asked():
    assert "does not know" in judged("core", ["a"], ["unknown"])["problem"]
    assert judged("none", ["a", "a"], ["unknown", "unknown"])["ok"]


@pytest.mark.parametrize(
    ("hosts", "cpus", "crowded"),
    [
        (["a", "a"], ["0-1", "0-1"], False),
        (["a", "a", "a"], ["0-1"] * 3, True),
        (["a", "b"], ["0", "0"], False),
        (["a", "a"], ["3", "3"], True),
        (["a", "a"], ["unknown", "unknown"], False),
    ],
)
def test_more_ranks_than_processors(hosts, cpus, crowded):
    assert crowded_hosts(hosts, cpus) is crowded

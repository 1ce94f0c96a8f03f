"""Conditions and exclusions that no point meets are reported before anything runs."""

import pytest
from weft.config.language.condition import equal
from weft.plan import expand

TORUS = "defaults: [override /topology: torus]\n"


def swept(text):
    return f"{TORUS}sweep:\n  topology.k: [2, 4]\n  network.latency: [100 ns, 2 us]\n  {text}\n"


@pytest.mark.parametrize(
    ("sweep", "key", "message"),
    [
        (
            "exclude: [{topology.k: 5}]",
            "sweep.exclude[0]",
            "excludes no point: no point has topology.k '5'; did you mean '4'? "
            "the points have: 2, 4",
        ),
        (
            "exclude: [{topology.k: 2}, {network.latency: [3 us, 4 us]}]",
            "sweep.exclude[1]",
            "no point has network.latency '3 us' or '4 us'; did you mean '2 us'? "
            "the points have: 100 ns, 2 us",
        ),
        (
            "exclude: [{workload.pattern: unifrom}]",
            "sweep.exclude[0]",
            "no point has workload.pattern 'unifrom'; did you mean 'uniform'? "
            "the points have: uniform",
        ),
        (
            "exclude: [{engine: packt}]",
            "sweep.exclude[0]",
            "no point has engine 'packt'; the points have: flow",
        ),
        (
            "exclude: [{engine.packet.virtual_channels: 2}]",
            "sweep.exclude[0]",
            "engine.packet.virtual_channels belongs to an engine that is not among engines",
        ),
        (
            "topology.ties: {when: topology.k == 3, values: [plus]}",
            "sweep.topology.ties.when",
            "matches no point: no point has topology.k '3'; did you mean '2'? "
            "the points have: 2, 4",
        ),
        (
            "topology.ties: {when: 'topology.kind in [mesh, fly]', values: [plus]}",
            "sweep.topology.ties.when",
            "no point has topology.kind 'mesh' or 'fly'; the points have: torus",
        ),
        (
            "topology.ties: {when: topology.k > 9, values: [plus]}",
            "sweep.topology.ties.when",
            "matches no point: topology.k > 9 is never true; the points have: 2, 4",
        ),
        (
            "topology.ties: {when: topology.k % 2 == 1, values: [plus]}",
            "sweep.topology.ties.when",
            "topology.k % 2 == 1 is never true; the points have: 2, 4",
        ),
        (
            "topology.ties: {when: topology.k == 2 and topology.k > 2, values: [plus]}",
            "sweep.topology.ties.when",
            "no point has all of these values together",
        ),
    ],
)
def test_what_no_point_meets_is_reported_with_what_there_is(tree, sweep, key, message):
    tree.refuses(swept(sweep), key, message)


def test_a_rule_whose_values_never_meet_is_reported(tree):
    tree.refuses(
        f"{TORUS}sweep:\n  zip: [{{topology.k: [2, 4], network.latency: [1 us, 2 us]}}]\n"
        "  exclude: [{topology.k: 2, network.latency: 2 us}]\n",
        None,
        "no point has all of these values together",
    )


def test_a_rule_may_match_what_another_has_left_out(tree):
    tree.experiment(swept("exclude: [{topology.k: 4}, {topology.k: 4, network.latency: 2 us}]"))
    assert len(expand(tree.load())) == 2


def test_an_override_may_narrow_the_points_away(tree):
    tree.experiment(swept("exclude: [{topology.k: 4}]"))
    assert len(expand(tree.load(["topology.k=2"]))) == 2


def test_a_key_that_is_not_written_has_its_default(tree):
    tree.experiment(swept("exclude: [{topology.k: 4, topology.ties: avoid_wrap}]"))
    assert {point.spec["topology"]["k"] for point in expand(tree.load())} == {2}


def test_a_default_is_a_quantity_too(tree):
    tree.experiment(swept("exclude: [{topology.k: 4, network.hop_latency: 0 ns}]"))
    assert {point.spec["topology"]["k"] for point in expand(tree.load())} == {2}


def test_equal_quantities_are_excluded_however_they_are_written(tree):
    tree.experiment(swept("exclude: [{network.latency: 0.1 us}]"))
    assert {point.spec["network"]["latency_s"] for point in expand(tree.load())} == {2e-6}


def test_equal_quantities_meet_a_condition_however_they_are_written(tree):
    tree.experiment(swept("topology.ties: {when: network.latency == 2000 ns, values: [plus]}"))
    specs = [point.spec for point in expand(tree.load())]
    found = {(spec["network"]["latency_s"], spec["topology"]["ties"]) for spec in specs}
    assert found == {(1e-7, "avoid_wrap"), (2e-6, "plus")}


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("64 KiB", "65536 B", True),
        ("1 GB/s", "8 Gbit/s", True),
        (["64 KiB", "1 B"], ["65536 B", "8 b"], True),
        (1e-7, "100 ns", True),
        ("64 KiB", "64 kB", False),
        ("1 s", "1 B", False),
        ("64 KiB", 64, False),
        (["64 KiB"], "64 KiB", False),
        ("torus", "mesh", False),
        (None, "1 s", False),
    ],
)
def test_values_are_equal_by_what_they_mean(left, right, same):
    assert equal(left, right) is same

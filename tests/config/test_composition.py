"""Groups are composed as Hydra would, which is asked only where a file is more than keys."""

import pytest
from weft.config import compose
from weft.config.compose import composing, group_choices
from weft.config.experiment import GROUPS
from weft.config.plain import plain_composition

from tests.config.conftest import SHIPPED

CHOICES = [(group, name) for group in GROUPS for name in group_choices(SHIPPED, group)]


@pytest.fixture(scope="module", autouse=True)
def hydra():
    with composing(SHIPPED):
        yield


@pytest.mark.parametrize(("group", "name"), CHOICES)
def test_every_shipped_group_is_composed_as_hydra_does(group, name):
    plain, chosen = plain_composition(SHIPPED, {group: name})
    base, of_hydra = compose._hydra_composition({group: name})
    assert plain == {key: base[key] for key in GROUPS}
    assert chosen.items() <= of_hydra.items()


def test_a_group_that_starts_from_another_one_is_hydras(tree):
    tree.write("network/fast.yaml", "defaults: [gigabit, _self_]\nhop_latency: 1 us\n")
    assert plain_composition(tree.configs, {"network": "fast"}) is None
    tree.experiment("defaults: [override /network: fast]\n")
    network = tree.load().base({})[1]["network"]
    assert (network["bandwidth"], network["hop_latency"]) == ("1 Gbit/s", "1 us")


def test_a_group_file_with_a_package_is_hydras(tree):
    tree.write("network/far.yaml", "# @package _global_\nnetwork: {bandwidth: 2 GB/s}\n")
    assert plain_composition(tree.configs, {"network": "far"}) is None


def test_a_group_file_that_changes_is_read_again(tree):
    tree.write("network/own.yaml", "bandwidth: 1 GB/s\n")
    plain_composition(tree.configs, {"network": "own"})
    tree.write("network/own.yaml", "bandwidth: 10 GB/s\n")
    sections, _ = plain_composition(tree.configs, {"network": "own"})
    assert sections["network"] == {"bandwidth": "10 GB/s"}


def test_a_kind_that_the_experiment_names_itself_starts_from_nothing(tree):
    tree.experiment("topology: {kind: torus, sizes: [4, 4]}\n")
    assert tree.load().base({})[1]["topology"] == {"kind": "torus", "sizes": [4, 4]}


def test_what_such_a_kind_lacks_is_a_mistake_of_the_experiment(tree):
    tree.experiment("workload: {kind: traffic, injection_rate: 0.3}\n")
    first = tree.errors()[0]
    assert (first.key, first.file) == ("workload.pattern", "configs/experiment/x.yaml")


def test_the_kind_of_the_default_group_keeps_its_other_keys(tree):
    tree.experiment("workload: {kind: messages, message_size: 2 KiB}\n")
    workload = tree.load().base({})[1]["workload"]
    assert (workload["pattern"], workload["message_size"]) == ("uniform", "2 KiB")


def test_a_kind_beside_a_chosen_group_of_another_kind_is_a_mistake(tree):
    tree.experiment(
        "defaults: [override /topology: fat_tree]\ntopology: {kind: torus, sizes: [4, 4]}\n"
    )
    assert {error.file for error in tree.errors()} == {"configs/topology/fat_tree.yaml"}

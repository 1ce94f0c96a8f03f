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

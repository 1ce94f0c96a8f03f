"""The work of a point where cycles are simulated: flits that its nodes send."""

import pytest
from weft.plan import expand
from weft.plan.costs import work

BODY = "engines: [packet]\ndefaults: [override /topology: torus, override /workload: {}]\n"


def one(tree, workload, changes="", options="{}"):
    tree.experiment(
        BODY.format(workload) + f"topology: {{k: 4}}\nworkload: {{{changes}}}\n"
        f"engine: {{packet: {options}}}\n"
    )
    (point,) = expand(tree.load())
    return work(point.spec)


def test_traffic_grows_with_cycles_and_rate(tree):
    assert one(tree, "open_loop", "injection_rate: 0.5", "{measure_cycles: 3000}") == 16 * 1500


def test_a_given_warmup_is_work_too(tree):
    options = "{measure_cycles: 3000, warmup_cycles: 1000}"
    assert one(tree, "open_loop", "injection_rate: 0.5", options) == 16 * 2000


def test_a_search_is_many_rates(tree):
    once = one(tree, "open_loop", "injection_rate: 1.0")
    assert one(tree, "saturation_search") == 10 * once


@pytest.mark.parametrize(("flit", "flits"), [("32 B", 4), ("null", 20)])
def test_a_list_grows_with_its_flits(tree, flit, flits):
    options = f"{{flit_size: {flit}, packet_flits: 20}}"
    found = one(tree, "uniform", "per_node: 3, message_size: 125 B", options)
    assert found == 16 * 3 * flits

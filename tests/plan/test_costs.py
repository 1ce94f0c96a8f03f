"""The work of a point where cycles are simulated: flits that its nodes send."""

import pytest
from weft.plan import expand
from weft.plan.costs import Costs, work

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


PROGRAM = """
engines: [rdma]
defaults: [override /topology: torus, override /network: opennsim_table3]
topology: {{k: 8, dimensions: 1}}
workload: {{kind: program, program: {}, ranks: 8, message_size: {}}}
"""


@pytest.mark.parametrize(
    ("program", "size", "packets"),
    [("alltoall_pairwise", "4000 B", 8 * 7 * 2), ("barrier_ring", "null", 8 * 3)],
)
def test_a_program_is_packets_times_hops(tree, program, size, packets):
    tree.write("workload/uniform.yaml", "kind: program\n")
    tree.write(f"experiment/{program}.c", "int main(void) { return 0; }\n")
    tree.experiment(PROGRAM.format(program, size))
    (point,) = expand(tree.load())
    assert work(point.spec) == packets * (2 + 8 / 4)


def test_ranks_need_memory_before_anything_alike_has_run(tree):
    tree.write("workload/uniform.yaml", "kind: program\n")
    tree.write("experiment/barrier_ring.c", "int main(void) { return 0; }\n")
    body = PROGRAM.format("barrier_ring", "null").replace("k: 8", "k: 131072")
    tree.experiment(body.replace("ranks: 8", "ranks: 131072"))
    (point,) = expand(tree.load())
    assert Costs().memory_bytes(point) > 131072 * 10_000

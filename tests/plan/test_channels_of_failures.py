"""Virtual channels that routes around failures need are asked for once, whatever the seeds."""

from weft.plan.expansion import expand
from weft.prepare.plans.virtual_channels import shortages

BODY = """defaults: [override /topology: torus, override /workload: uniform]
engines: [packet]
topology: {sizes: [6, 6], routing: ecmp, failed: {links: 2}}
network: {router: {virtual_channels: 2}, packet: {mtu: 1 KiB, header: 0 B, flit: 16 B}}
replicates: 5
"""


def test_a_shortage_is_one_message_with_the_number_that_all_seeds_need(tree, tmp_path):
    tree.experiment(BODY)
    experiment = tree.load()
    (problem,) = shortages(experiment, expand(experiment), tmp_path)
    assert problem.key == "topology.failed"
    assert "virtual_channels is 2, and routes ecmp with the failures of seed" in problem.message
    least = problem.message.partition("need at least ")[2].partition(":")[0]
    assert problem.message.endswith(f"; set network.router.virtual_channels: {least}")


def test_a_shortage_names_the_option_of_an_engine_as_files_write_it(tree, tmp_path):
    tree.experiment(BODY.partition("network: ")[0])
    experiment = tree.load()
    (problem,) = shortages(experiment, expand(experiment), tmp_path)
    assert problem.message.startswith("engine.packet.virtual_channels is 2, and routes ecmp")
    assert "; set engine.packet.virtual_channels: " in problem.message

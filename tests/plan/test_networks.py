"""Networks that only a simulator can look through: a mistake there stops before anything runs."""

import re

import pytest
from weft.config import ConfigErrors
from weft.plan import expand
from weft.prepare.plans.networks import check_networks

from tests.config.conftest import tree

__all__ = ["tree"]

CUBE = """
engines: [flow]
defaults:
  - override /topology: hypercube
topology: {dimensions: 3, routing: ecmp, failed: {links: %s}}
"""
ANET = """
engines: [anet]
defaults:
  - override /topology: hypercube
  - override /workload: alltoall
topology: {dimensions: 2}
workload: {ranks: 4, message_size: 32 B}
engine: {anet: {ports_file: ports.csv}}
"""
MEASURED = """
engines: [flow, hardware]
defaults:
  - override /workload: pingpong
"""
#: Towards routers with another lowest bit along the first dimension, then along the second.
PORTS = [f"{a},{b},{a ^ 1 if (a ^ b) & 1 else a ^ 2}" for a in range(4) for b in range(4) if a != b]


def problem(tree, monkeypatch):
    monkeypatch.chdir(tree.root)
    experiment = tree.load()
    with pytest.raises(ConfigErrors) as error:
        check_networks(experiment, expand(experiment))
    return str(error.value)


def test_named_failures_that_cut_a_topology_are_a_mistake_of_the_file(tree, monkeypatch):
    tree.experiment(CUBE % "[d0/0, d1/0, d2/0]")
    message = problem(tree, monkeypatch)
    assert "topology.failed: " in message
    assert "no path leads from node 1 to node 0" in message
    # File and line.
    assert "configs/experiment/" in message.partition(": ")[0]
    assert message.partition(": ")[0].split(":")[1].isdigit()


def test_failures_that_leave_a_way_and_those_that_a_seed_draws_pass(tree, monkeypatch):
    monkeypatch.chdir(tree.root)
    for links in ("[d0/0, d1/0]", "11"):
        tree.experiment(CUBE % links)
        experiment = tree.load()
        check_networks(experiment, expand(experiment))


def test_a_wrong_table_of_ports_is_named_with_its_line(tree, monkeypatch):
    tree.experiment(ANET)
    file = tree.root / "ports.csv"
    file.write_text("\n".join(["router,destination,next", *PORTS[:2], "0,3,3", *PORTS[3:]]))
    message = problem(tree, monkeypatch)
    assert "engine.anet.ports_file: ports.csv:4: no further link leads from router 0 to" in message
    file.write_text("\n".join(["router,destination,next", *PORTS[1:]]))
    assert "ports.csv: router 0 has no row for destination 1" in problem(tree, monkeypatch)
    file.write_text("\n".join(["router,destination,next", *PORTS]))
    experiment = tree.load()
    check_networks(experiment, expand(experiment))


def test_a_topology_with_too_many_routers_is_a_mistake(tree, monkeypatch):
    body = ANET.replace("hypercube", "torus").replace("dimensions: 2", "sizes: [128, 64]")
    tree.experiment(body.replace("ports.csv", "null"))
    message = problem(tree, monkeypatch)
    assert "topology: the topology has 8192 routers, must be at most 4096 for anet" in message


def test_without_a_simulator_planning_goes_on(tree, monkeypatch):
    tree.experiment(CUBE % "[d0/0, d1/0, d2/0]")
    monkeypatch.chdir(tree.root)
    monkeypatch.setenv("WEFT_FLOW", str(tree.root / "absent"))
    experiment = tree.load()
    check_networks(experiment, expand(experiment))


def test_measurements_have_no_topology_to_look_through(tree, monkeypatch):
    tree.experiment(MEASURED)
    monkeypatch.chdir(tree.root)
    experiment = tree.load()
    points = expand(experiment)
    assert "{}" in points.texts("topology")
    check_networks(experiment, points)


def warned(tree, monkeypatch, capsys, body):
    monkeypatch.chdir(tree.root)
    tree.experiment(body)
    experiment = tree.load()
    check_networks(experiment, expand(experiment))
    return capsys.readouterr().err


@pytest.mark.slow
def test_draws_that_cut_the_network_are_warned_of_before_anything_runs(tree, monkeypatch, capsys):
    """Of a hypercube of 8 with 11 of 12 links failed no draw is whole, with 1 failed each is."""
    body = CUBE % "11" + "sweep: {topology.failed.links: [0, 1, 11]}\nreplicates: 3\n"
    message = warned(tree, monkeypatch, capsys, body)
    assert message.startswith("weft: warning, for x: 3 of 6 draws of failures cut the network, so ")
    assert re.search(r"will be skipped; the first, of links 11, seed \d+: ", message)
    assert "no path leads from node " in message
    # One seed of their own: one draw, whatever the replicates.
    own = body.replace("links: 11}", "links: 11, seed: 7}")
    message = warned(tree, monkeypatch, capsys, own)
    assert "1 of 2 draws of failures" in message
    assert "links 11, seed 7: " in message
    assert warned(tree, monkeypatch, capsys, body.replace("[0, 1, 11]", "[0, 1, 2]")) == ""


def test_draws_on_a_graph_are_those_of_its_file(tree, monkeypatch, capsys):
    """A line of three switches: any failure cuts it."""
    (tree.root / "line.csv").write_text("from,to\ns0,s1\ns1,s2\nn0,s0\nn1,s1\nn2,s2\n")
    body = "engines: [flow]\ndefaults: [override /topology: graph]\n"
    body += "topology: {file: line.csv, failed: {links: 1}}\nreplicates: 2\n"
    message = warned(tree, monkeypatch, capsys, body)
    assert "2 of 2 draws of failures cut the network" in message
    assert "no path leads from node n" in message


def test_draws_of_many_seeds_are_left_to_the_points(tree, monkeypatch, capsys):
    body = CUBE % "11" + "replicates: 1000\n"
    message = warned(tree, monkeypatch, capsys, body)
    assert "failures are drawn 1,000 times, too often to look at each now; points whose" in message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failing", "message"),
    [
        ("links: 1000", "links is 1000, must be at most 12: as many links join two whole switches"),
        ("switches: 7", "switches is 7, must be at most 0: as many switches have no node"),
    ],
)
@pytest.mark.parametrize("replicates", [3, 1000])
def test_more_failures_than_there_are_links_are_a_mistake(
    tree, monkeypatch, failing, message, replicates
):
    body = (CUBE % "0").replace("links: 0", failing)
    tree.experiment(f"{body}replicates: {replicates}\n")
    key = f"topology.failed.{failing.partition(':')[0]}"
    line = f"configs/experiment/x.yaml:7:51: {key}: {message}"
    assert problem(tree, monkeypatch) == line


@pytest.mark.slow
def test_a_swept_number_of_failures_that_are_not_there_is_placed_in_the_sweep(tree, monkeypatch):
    tree.experiment(CUBE % "0" + "sweep: {topology.failed.links: [1, 12, 13]}\n")
    begin = "configs/experiment/x.yaml:8:9: topology.failed.links: links is 13, must be at most 12"
    assert problem(tree, monkeypatch).startswith(begin)


#: Shortest ways of a mesh wait for each other in a circle: a packet takes a class for each step.
RING = """
engines: [%s]
defaults:
  - override /topology: mesh
  - override /network: opennsim_table3
  - override /workload: alltoall
topology: {k: 4, dimensions: 2, routing: ecmp, failed: {links: 1}}
network: {router: {virtual_channels: %s}}
workload: {ranks: 16, message_size: 32 B}
"""


@pytest.mark.parametrize("engine", ["packet", "rdma"])
def test_too_few_virtual_channels_around_failures_are_known_before_anything_runs(
    tree, monkeypatch, engine
):
    tree.experiment(RING % (engine, 2))
    message = problem(tree, monkeypatch)
    assert "topology.failed: network.router.virtual_channels is 2, and routes ecmp with " in message
    at_least = int(re.search(r"need at least (\d+): ", message).group(1))
    assert at_least > 2
    tree.experiment(RING % (engine, at_least))
    experiment = tree.load()
    check_networks(experiment, expand(experiment))


def test_flows_need_no_virtual_channels(tree, monkeypatch):
    monkeypatch.chdir(tree.root)
    tree.experiment(RING % ("flow", 2))
    experiment = tree.load()
    check_networks(experiment, expand(experiment))

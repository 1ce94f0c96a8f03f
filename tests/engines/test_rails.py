"""Nodes with several links, from a user's file to the times of flow, packet and rdma."""

import pytest

from tests.config.conftest import tree
from tests.engines.test_graph_topology import run, specs, values

__all__ = ["tree"]
#: Two planes, which only a third switch joins; each node has a link to both.
TWO = "from,to\nn0,a\nn0,b\nn1,a\nn1,b\na,c\nb,c\n"
ONE = "from,to\nn0,a\nn1,a\na,c\nb,c\nn2,b\n"
#: Two messages from one node to the other.
MESSAGES = "src,dst,bytes\n0,1,640000\n0,1,640000\n"
TOPOLOGY = """
topology: {file: planes.csv, node_names: [n*]%s}
network: {bandwidth: 1 GB/s, latency: 0 s, hop_latency: 0 s}
"""
LIST = """
defaults: [override /topology: graph, override /workload: trace]
workload: {file: two.csv, outstanding: all}
engine: {flow: {tables: [links]}%s}
"""
#: Without limits for eager messages, the data of a rendezvous may take any rail.
PROGRAM = """
defaults: [override /topology: graph, override /workload: pingpong]
workload: {program: two, ranks: 2, message_size: 6400000 B}
engine:
  flow: {eager_limit: 0 B, tables: [links]}
  packet: {eager_limit: 0 B, tables: [links]}
  rdma: {eager_limit: 0 B, tables: [links]}
"""
TWO_SENDS = """
#include "mgen.h"
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int bytes = atoi(argv[argc - 1]), rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Request requests[2];
    for (int i = 0; i < 2; i++) {
        if (rank == 0) {
            MGEN_Isend(NULL, bytes, MGEN_BYTE, 1, i, MGEN_COMM_WORLD, &requests[i]);
        } else {
            MGEN_Irecv(NULL, bytes, MGEN_BYTE, 0, i, MGEN_COMM_WORLD, &requests[i]);
        }
    }
    MGEN_Waitall(2, requests, MGEN_STATUSES_IGNORE);
    return 0;
}
"""


@pytest.fixture(autouse=True)
def files(tree, monkeypatch):
    (tree.root / "two.csv").write_text(MESSAGES)
    tree.write("experiment/two.c", TWO_SENDS)
    monkeypatch.chdir(tree.root)


PACKET = ", packet: {flit_size: 64 B, packet_flits: 10, tables: [links]}"


def answered(tree, folder, graph, body, engines, rails=""):
    (tree.root / "planes.csv").write_text(graph)
    found = run(folder, specs(tree, body + TOPOLOGY % rails, engines))
    for tables in found.values():
        assert [row["error"] for row in tables["runs"]] == [None]
    return found


def test_two_rails_halve_the_time_of_two_messages(tree, tmp_path):
    """640 kB at 1 GB/s on a rail of its own each, or one after the other on one link."""
    one = answered(tree, tmp_path / "one", ONE, LIST % PACKET, "flow, packet")
    two = answered(tree, tmp_path / "two", TWO, LIST % PACKET, "flow, packet")
    assert values(one["flow"])["makespan_s"] == pytest.approx(1.28e-3, rel=1e-12)
    assert values(two["flow"])["makespan_s"] == pytest.approx(0.64e-3, rel=1e-12)
    # A message is 10,000 flits of 64 ns; what comes before and after them is the same.
    saved_s = values(one["packet"])["makespan_s"] - values(two["packet"])["makespan_s"]
    assert saved_s == pytest.approx(0.64e-3, rel=1e-9)
    for tables in two.values():
        sent = {row["link"]: row["bytes"] for row in tables["links"] if row["class"] == "injection"}
        assert list(sent.values()) == [640_000, 640_000, 0, 0]


@pytest.mark.slow
def test_the_data_of_programs_take_the_rails_in_turn(tree, tmp_path):
    one = answered(tree, tmp_path / "one", ONE, PROGRAM, "flow, packet, rdma")
    two = answered(tree, tmp_path / "two", TWO, PROGRAM, "flow, packet, rdma")
    assert set(two) == {"flow", "packet", "rdma"}
    for name, tables in two.items():
        ratio = values(one[name])["program_time_s"] / values(tables)["program_time_s"]
        assert ratio == pytest.approx(2, rel=0.01), name
        large = [row["link"] for row in tables["links"] if row["bytes"] >= 6_400_000]
        assert {"injection/0", "injection/1"} < {*large}


def test_a_hash_may_take_one_rail_twice(tree, tmp_path):
    many = "src,dst,bytes\n" + "0,1,640\n" * 400
    (tree.root / "two.csv").write_text(many)
    sent = {}
    for rule in ("round_robin", "hash"):
        tables = answered(tree, tmp_path / rule, TWO, LIST % "", "flow", f", rails: {rule}")["flow"]
        rows = [row["bytes"] for row in tables["links"] if row["class"] == "injection"]
        sent[rule] = rows[0] / 640
    assert sent["round_robin"] == 200
    assert sent["hash"] != 200
    assert 150 < sent["hash"] < 250


def test_the_spec_names_the_rule_where_nodes_have_rails_and_only_there(tree):
    for graph, rule in ((TWO, "round_robin"), (ONE, None)):
        (tree.root / "planes.csv").write_text(graph)
        (spec,) = specs(tree, LIST % "" + TOPOLOGY % "", "flow")
        assert (spec["topology"]["nodes"], spec["topology"].get("rails")) == (
            2 if rule else 3, rule,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("graph", "rails", "engines", "key", "words"),
    [
        (ONE, ", rails: hash", "flow", "topology.rails", "no node of planes.csv has several links"),
        (TWO, ", rails: hsh", "flow", "topology.rails", "allowed: hash, round_robin"),
        (TWO, "", "smpi", "topology.rails", "a rank of SMPI has one link"),
        (TWO, "", "anet", "topology.rails", "one link to its router"),
    ],
)
def test_rails_that_cannot_be_are_a_mistake_before_anything_runs(
    tree, graph, rails, engines, key, words
):
    (tree.root / "planes.csv").write_text(graph)
    body = PROGRAM.partition("engine:")[0] + TOPOLOGY % rails
    tree.refuses(f"engines: [{engines}]\n" + body, key, words)

"""`ecmp` spreads the messages of two nodes over all ways, `ecmp_pair` keeps them on one."""

import pytest

from tests.config.conftest import tree
from tests.engines.test_graph_topology import run, specs

__all__ = ["tree"]
#: Between the leaves of two nodes lie four spines.
TREE = """
defaults: [override /topology: fat_tree, override /workload: %s]
topology: {k: 4, levels: 2, routing: %s}
"""
LIST = (
    TREE % ("trace", "%s")
    + "workload: {file: many.csv}\n"
    + "engine: {flow: {tables: [links]}, packet: {tables: [links], flit_size: 8 B}}\n"
)
PROGRAM = (
    TREE % ("pingpong", "%s")
    + "workload: {program: many, ranks: 16, message_size: 8 B}\n"
    + "engine: {flow: {tables: [links]}, packet: {tables: [links]}, rdma: {tables: [links]}}\n"
)
#: Rank 0 sends 40 messages to rank 15.
MANY = """
#include "mgen.h"
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int bytes = atoi(argv[argc - 1]), rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    for (int i = 0; i < 40; i++) {
        if (rank == 0) {
            MGEN_Send(NULL, bytes, MGEN_BYTE, 15, 0, MGEN_COMM_WORLD);
        } else if (rank == 15) {
            MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        }
    }
    return 0;
}
"""


@pytest.fixture(autouse=True)
def files(tree, monkeypatch):
    (tree.root / "many.csv").write_text("src,dst,bytes\n" + "0,15,8\n" * 40)
    tree.write("experiment/many.c", MANY)
    monkeypatch.chdir(tree.root)


def upward(tables):
    """The bytes of every channel upward that carried some."""
    assert [row["error"] for row in tables["runs"]] == [None]
    rows = [row for row in tables["links"] if row["class"] == "up" and row["bytes"] > 0]
    return {row["link"]: row["bytes"] for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "engines"), [(LIST, "flow, packet"), (PROGRAM, "flow, packet, rdma")]
)
def test_messages_of_two_nodes_take_all_ways_or_one_in_every_network(tree, tmp_path, body, engines):
    by_message = run(tmp_path / "ecmp", specs(tree, body % "ecmp", engines))
    by_pair = run(tmp_path / "pair", specs(tree, body % "ecmp_pair", engines))
    loads = {name: upward(tables) for name, tables in by_message.items()}
    assert len(loads) == engines.count(",") + 1
    for name, tables in by_pair.items():
        assert len(loads[name]) == 4
        # Headers and flits make all messages larger alike.
        shares = [
            load / sum(each.values())
            for each in (loads[name], loads["flow"])
            for load in each.values()
        ]
        assert shares[:4] == shares[4:], "the same message takes the same way everywhere"
        assert len(upward(tables)) == 1


@pytest.mark.parametrize("engine", ["simgrid", "smpi"])
def test_simgrid_has_one_route_for_each_pair(tree, engine):
    body = PROGRAM if engine == "smpi" else LIST
    body = body.partition("engine:")[0]
    tree.refuses(f"engines: [{engine}]\n" + body % "ecmp", "topology.routing", "up_down, ecmp_pair")
    tree.experiment(f"engines: [{engine}]\n" + body % "ecmp_pair")
    assert tree.load()

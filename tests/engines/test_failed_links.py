"""Failed links and switches: which fail, what every network answers, and what is refused."""

import pytest

from tests.config.conftest import tree
from tests.engines.test_graph_topology import BODY as GRAPH
from tests.engines.test_graph_topology import RING, run, specs, values

pytestmark = pytest.mark.slow

__all__ = ["tree"]
TREE = """
defaults: [override /topology: fat_tree, override /workload: %s]
topology: {k: 4, levels: 2, routing: %s, failed: {%s}}
"""
LISTS = TREE % ("uniform", "%s", "%s") + "workload: {per_node: 20, message_size: 1 KiB}\n"
PROGRAM = TREE % ("alltoall", "%s", "%s") + "workload: {ranks: 16, message_size: 1 KiB}\n"
ANET = """
defaults: [override /topology: mesh, override /network: anet, override /workload: pingpong]
topology: {k: 2, routing: shortest, failed: {links: 3}}
"""
TABLES = "engine: {flow: {tables: [links]}, packet: {tables: [links]}, rdma: {tables: [links]}}\n"


@pytest.fixture(autouse=True)
def ring(tree, monkeypatch):
    (tree.root / "ring.csv").write_text(RING)
    monkeypatch.chdir(tree.root)


def failed(tables):
    """Links that failed, each with what it carried."""
    return {row["link"]: row["bytes"] for row in tables["links"] if row["class"] == "failed"}


def test_the_same_links_fail_in_every_network_and_carry_nothing(tree, tmp_path):
    body = PROGRAM % ("shortest", "links: 3")
    found = run(tmp_path / "out", specs(tree, body + TABLES, "flow, packet, rdma"))
    assert set(found) == {"flow", "packet", "rdma"}
    for tables in found.values():
        assert [row["error"] for row in tables["runs"]] == [None]
        assert len(tables["links"]) == 2 * 16 + 2 * 16
        assert len(failed(tables)) == 6
        assert set(failed(tables).values()) == {0}
        assert failed(tables) == failed(found["flow"])
    (first, *_) = specs(tree, body, "flow")
    assert first["topology"]["failed"] == {"links": 3, "switches": 0}


def test_a_network_without_failures_answers_as_the_topology_does(tree, tmp_path):
    """`spray` draws as `nca` does, and `adaptive` as `anca`: all packets go the same way."""
    for place, (engines, body) in enumerate((("packet", LISTS), ("packet, rdma", PROGRAM))):
        for own, graph in (("nca", "spray"), ("anca", "adaptive")):
            plain = (body % (own, "")).replace(", failed: {}", "")
            was = run(tmp_path / f"{own}{place}", specs(tree, plain, engines))
            now = run(
                tmp_path / f"{graph}{place}", specs(tree, body % (graph, "links: 0"), engines)
            )
            for name, tables in was.items():
                assert values(tables)
                assert values(now[name]) == values(tables)


def test_failures_cost_time_and_more_cost_more(tree, tmp_path):
    for engine in ("flow", "packet"):
        spans = []
        for count in (0, 4, 8):
            body = LISTS.replace("per_node: 20", "per_node: 20, outstanding: all")
            body %= ("layered", f"links: {count}")
            (tables,) = run(tmp_path / f"{engine}{count}", specs(tree, body, engine)).values()
            spans.append(values(tables)["makespan_s"])
        assert spans[0] < spans[1] < spans[2]


@pytest.mark.parametrize(("body", "engines"), [(LISTS, "flow, packet"), (PROGRAM, "rdma")])
def test_a_draw_that_cuts_a_topology_skips_the_point_with_one_message(
    tree, tmp_path, body, engines
):
    body %= ("shortest", "switches: 4")
    for tables in run(tmp_path / "out", specs(tree, body, engines)).values():
        (row,) = tables["runs"]
        assert row["status"] == "skipped"
        words = "the failures that its seed draws cut the network: no path leads from node "
        assert row["error"].startswith(words)


def test_a_cut_that_a_spec_names_fails_the_point(tree, tmp_path):
    body = LISTS % ("shortest", "switches: [4, 5, 6, 7]")
    for tables in run(tmp_path / "out", specs(tree, body)).values():
        (row,) = tables["runs"]
        assert row["status"] == "failed"
        assert row["error"].startswith("the graph of a fat_tree: no path leads from node ")


def test_a_draw_cuts_the_network_of_anet_too(tree, tmp_path):
    (tables,) = run(tmp_path, specs(tree, ANET, "anet")).values()
    assert [row["status"] for row in tables["runs"]] == ["skipped"]


@pytest.mark.parametrize(
    ("routing", "failing", "words"),
    [
        ("dmodk", "links: 1", "routing dmodk cannot go round failures; topology.routing must be s"),
        (
            "shortest",
            "links: [op/0/1/0]",
            "unknown class of channels 'op'; allowed: down, ejection, injection, up",
        ),
        ("shortest", "links: [up/0/1/9]", "there is no channel 'up/0/1/9': they are up/0/0/0 to"),
        ("shortest", "links: [up/0/1/0, up/0/1/0]", "links names up/0/1/0 twice"),
        ("shortest", "links: [injection/3]", "must be a channel between routers, like up/0/0/0"),
        ("shortest", "links: [[a, b]]", "links names the pair ['a', 'b']; here, names of channels"),
        ("shortest", "switches: [top]", "switches names 'top', must be numbers of routers from 0"),
    ],
)
def test_what_cannot_fail_is_a_mistake_before_anything_runs(tree, routing, failing, words):
    tree.refuses("engines: [flow]\n" + LISTS % (routing, failing), "topology.failed", words)


@pytest.mark.parametrize(
    ("failing", "words"),
    [
        ("links: 5", "links is 5, must be at most 4: as many links join two switches"),
        ("switches: 1", "switches is 1, must be at most 0: as many switches have no node"),
        ("links: [[s0, s9]]", "unknown switch 's9'"),
        ("links: [[s0, s2]]", "no link joins s0 and s2"),
        ("links: [s0 > s9]", "unknown link 's0 > s9'; did you mean 's0 > s"),
        ("switches: [s9]", "unknown switch 's9'"),
        ("switches: [s1]", "without s1 no path leads from its node n"),
        ("links: [[s0, s1], [s1, s2]]", "no path leads from n0 to n2"),
    ],
)
def test_what_cannot_fail_on_a_graph_is_a_mistake_before_anything_runs(tree, failing, words):
    body = (GRAPH % "shortest").replace("shortest}", f"shortest, failed: {{{failing}}}}}")
    tree.refuses("engines: [flow]\n" + body, "topology.failed", words)


def test_an_engine_that_routes_no_graphs_refuses_them(tree):
    body = "engines: [booksim]\n" + LISTS % ("shortest", "links: 1")
    tree.refuses(body, "topology.routing", "booksim routes no graphs; leave out 'shortest'")

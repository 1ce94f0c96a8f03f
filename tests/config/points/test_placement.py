"""Where ranks run: `workload.placement` for all engines, and what it needs of an experiment."""

import pytest
from weft.plan import expand

HEAD = "defaults: [override /topology: %s, override /workload: pingpong]\n"
GRAPH = HEAD % "graph" + "topology: {file: site.csv}\n"
SITE = "from,to\ncn1,leaf\ncn2,leaf\n"


@pytest.fixture(autouse=True)
def site(tree):
    (tree.root / "site.csv").write_text(SITE)


def placed(tree, body):
    tree.experiment(body)
    return [(p.engine, p.spec["options"].get("rank_to_node")) for p in expand(tree.load())]


def test_one_key_places_the_ranks_of_every_engine_and_the_measurement_has_none(tree):
    body = "engines: [flow, smpi, hardware]\n" + GRAPH + "workload: {placement: measured}\n"
    assert placed(tree, body) == [("flow", "measured"), ("smpi", "measured"), ("hardware", None)]


def test_linear_stays_the_default_and_leaves_no_trace(tree):
    assert placed(tree, "engines: [flow]\n" + GRAPH) == [("flow", "linear")]
    with_key = expand(tree.load())
    tree.experiment("engines: [flow]\n" + GRAPH + "workload: {placement: linear}\n")
    assert list(expand(tree.load()).ids) == list(with_key.ids)


def test_a_swept_placement_is_measured_once_and_drawn_with_replicates(tree):
    body = (
        "engines: [flow, hardware]\n" + GRAPH
        + "sweep: {workload.placement: [measured, random]}\nreplicates: {flow: 3}\n"
    )  # fmt: skip
    tree.experiment(body)
    points = list(expand(tree.load()))
    found = [(p.engine, p.coordinates.get("workload.placement"), p.seed) for p in points]
    assert found == [
        *(("flow", kind, seed) for kind in ("measured", "random") for seed in (1, 2, 3)),
        ("hardware", None, 1),
    ]
    assert all("placement" not in p.spec["workload"] for p in points)


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        (
            "engines: [flow]\n" + GRAPH + "workload: {placement: measured}\n",
            "workload.placement",
            "takes the nodes of a measurement of the same program with as many ranks, so engines "
            "needs hardware",
        ),
        (
            "engines: [flow]\n" + GRAPH + "engine: {flow: {rank_to_node: measured}}\n",
            "engine.flow.rank_to_node",
            "so engines needs hardware",
        ),
        (
            "engines: [flow, hardware]\n" + HEAD % "crossbar" + "topology: {nodes: 2}\n"
            "workload: {placement: measured}\n",
            "workload.placement",
            "a crossbar has no names; take topology: graph",
        ),
        (
            "engines: [flow]\n" + GRAPH
            + "workload: {placement: random}\nengine: {flow: {rank_to_node: block}}\n",
            "workload.placement",
            "random, but engine.flow.rank_to_node is block; give one of them",
        ),
        (
            "engines: [flow]\n" + GRAPH + "workload: {placement: file}\n",
            "workload.placement",
            "allowed: block, linear, measured, random",
        ),
    ],
)  # fmt: skip
def test_what_cannot_place_ranks_is_a_mistake_before_anything_runs(tree, body, key, words):
    tree.refuses(body, key, words)


def test_a_measured_placement_may_hold_more_ranks_than_the_network_has_nodes(tree):
    """How many ranks a node has, the measurement decides."""
    ranks = "workload: {placement: %s, program: alltoall, ranks: 4}\n"
    body = "engines: [flow, hardware]\n" + GRAPH
    assert placed(tree, body + ranks % "measured")[0] == ("flow", "measured")
    tree.refuses(body + ranks % "random", "workload.ranks", "4 ranks, but the topology has 2")

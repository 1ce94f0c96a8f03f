"""Every topology, exported as a graph with its own routes, gives the same metrics bit by bit."""

import json
import subprocess
from hashlib import sha256

import pytest
from weft.config.model.catalogue import CATALOGUE
from weft.engines import engine
from weft.plan import expand

from tests.config.conftest import tree

__all__ = ["tree"]


def choices(entry):
    """Every combination of words under which the routes are static and the same in all engines."""
    static = [each.name for each in entry.routings if each.is_static]
    routings = [{"routing": name} for name in static] if entry.has_routing_key else [{}]
    others = [key for key in entry.keys if key.type == "choice" and key.name != "routing"]
    for key in others:
        # Each engine draws random ties in its own way.
        words = [word for word in key.allowed if word != "random"]
        routings = [{**known, key.name: word} for known in routings for word in words]
    return routings


SPECS = [
    {"kind": entry.kind, **example.keys, **words, "nodes": example.nodes}
    for entry in CATALOGUE.topologies
    for example in entry.examples
    for words in choices(entry)
]
#: Ways that the graph itself chooses.
SEVERAL_WAYS = ("ecmp", "spray", "adaptive")
#: Slower by what no power of two is.
LINKS = [
    {"channels": ["up"], "slower": 3.0},
    {"channels": ["up/0/0/0", "down/0/0/0"], "bandwidth_bytes_per_s": 7e7, "latency_s": 3e-7},
    {"channels": ["injection/3"], "latency_s": 1e-7},
]
TREE = {"kind": "fat_tree", "k": 3, "levels": 2, "nodes": 9}
DRAGONFLY = {"kind": "dragonfly", "p": 1, "a": 2, "h": 1, "nodes": 6}
SPECS += [
    {**TREE, "routing": "dmodk", "taper": 3.0},
    {**TREE, "routing": "dmodk", "links": LINKS},
    {**TREE, "routing": "ecmp_pair", "failed": {"links": 2}},
    {**DRAGONFLY, "routing": "minimal", "taper": 1.7, "links": LINKS[2:]},
]
ON_THE_WAY = [
    {**TREE, "routing": routing, **more}
    for routing in SEVERAL_WAYS
    for more in ({}, {"links": LINKS}, {"failed": {"links": 1}})
]
LISTS = """
defaults: [override /workload: %s]
network: {bandwidth: 1 GB/s, latency: 100 ns, hop_latency: %s}
workload: {message_size: 200 B%s}
"""
PROGRAM = """
defaults: [override /workload: alltoall]
network: {router: {virtual_channels: 4}}
workload: {ranks: 2, message_size: 3 KiB}
"""


def exported(topology, folder):
    """The topology of a point whose graph is this topology."""
    point = json.dumps({"seed": 1, "topology": topology})
    command = [str(engine("flow").checked_binary()), "export"]
    text = subprocess.run(command, input=point, capture_output=True, text=True, check=True).stdout
    digest = sha256(text.encode()).hexdigest()
    file = folder / f"{digest}.json"
    file.write_text(text)
    own = topology.get("routing")
    routing = own if own in SEVERAL_WAYS else "table"
    assert ("routes" in json.loads(text)) == (routing == "table")
    found = {"kind": "graph", "file": str(file), "sha256": digest, "routing": routing}
    return {**found, "nodes": topology["nodes"]}


def metrics(name, points, folder):
    """The metrics of each point, in order."""
    shard = {
        "schema": 1,
        "engine": name,
        "engine_version": "",
        "shard": "b" * 12,
        "points": [
            {"point_id": f"{i:012x}", "digest": f"{i:012x}", **spec}
            for i, spec in enumerate(points)
        ],
    }
    order, out = folder / "input.json", folder / "out"
    order.write_text(json.dumps(shard))
    command = [str(engine(name).checked_binary()), "run", "--shard", str(order)]
    subprocess.run([*command, "--out", str(out), "--threads", "2"], check=True, capture_output=True)
    lines = map(json.loads, (out / "journal.jsonl").read_text().splitlines())
    rows = {line["point_id"]: (line["error"], line["metrics"]) for line in lines}
    return [rows[f"{i:012x}"] for i in range(len(points))]


#: Each takes some ten seconds; messages under `flow` are always there.
MORE = [pytest.mark.slow, pytest.mark.long("exported_graphs")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("flow", LISTS % ("uniform", "0 ns", ", per_node: 6")),
        ("flow", LISTS % ("uniform", "50 ns", ", per_node: 6, outstanding: all")),
        pytest.param(
            "packet", LISTS % ("uniform", "0 ns", ", per_node: 6, outstanding: all"), marks=MORE
        ),
        pytest.param("packet", LISTS % ("saturation", "20 ns", ""), marks=MORE),
        pytest.param("flow", PROGRAM, marks=MORE),
        pytest.param("packet", PROGRAM, marks=MORE),
        pytest.param("rdma", PROGRAM, marks=MORE),
    ],
)
def test_an_exported_topology_gives_the_same_metrics(tree, tmp_path, monkeypatch, name, body):
    monkeypatch.chdir(tree.root)
    # Enough for every routing.
    more = "engine: {packet: {virtual_channels: 4, measure_cycles: 300}}\n" * (
        name == "packet" and "router" not in body
    )
    tree.experiment(f"engines: [{name}]\n{body}{more}")
    (point,) = expand(tree.load())
    originals, graphs = [], []
    # flow has no ways that depend on what is busy.
    several = [spec for spec in ON_THE_WAY if name != "flow" or spec["routing"] == "ecmp"]
    specs = [*SPECS, *several]
    for topology in specs:
        sized = point.spec["workload"]
        if "ranks" in sized:
            sized = {**sized, "ranks": topology["nodes"]}
        originals.append({**point.spec, "topology": topology, "workload": sized})
        graphs.append({**originals[-1], "topology": exported(topology, tmp_path)})
    found = metrics(name, originals + graphs, tmp_path)
    for spec, was, now in zip(specs, found, found[len(specs) :], strict=False):
        assert was[0] is None, spec
        assert was[1], spec
        assert now == was, spec

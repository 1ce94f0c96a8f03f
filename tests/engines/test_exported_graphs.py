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
    found = {"kind": "graph", "file": str(file), "sha256": digest, "routing": "table"}
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


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("flow", LISTS % ("uniform", "0 ns", ", per_node: 6")),
        ("flow", LISTS % ("uniform", "50 ns", ", per_node: 6, outstanding: all")),
        ("packet", LISTS % ("uniform", "0 ns", ", per_node: 6, outstanding: all")),
        ("packet", LISTS % ("saturation", "20 ns", "")),
        ("flow", PROGRAM),
        ("packet", PROGRAM),
        ("rdma", PROGRAM),
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
    for topology in SPECS:
        sized = point.spec["workload"]
        if "ranks" in sized:
            sized = {**sized, "ranks": topology["nodes"]}
        originals.append({**point.spec, "topology": topology, "workload": sized})
        graphs.append({**originals[-1], "topology": exported(topology, tmp_path)})
    found = metrics(name, originals + graphs, tmp_path)
    for spec, was, now in zip(SPECS, found, found[len(SPECS) :], strict=False):
        assert was[0] is None, spec
        assert was[1], spec
        assert now == was, spec

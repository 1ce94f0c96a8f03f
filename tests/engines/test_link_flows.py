"""Which pairs of nodes use a link most, as every network counts them under programs."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.config.conftest import tree
from tests.engines.test_graph_topology import run, specs, values

__all__ = ["tree"]
#: Three nodes: no link has more than three pairs, so the table holds all.
BODY = """
defaults: [override /topology: %s, override /workload: alltoall]
topology: %s
workload: {ranks: 3, message_size: 1 KiB}
"""
LINE = BODY % ("mesh", "{sizes: [3]}")
RING = BODY % ("torus", "{sizes: [3], routing: adaptive}")


@pytest.fixture(autouse=True)
def here(tree, monkeypatch):
    monkeypatch.chdir(tree.root)


def asked(engines: str) -> str:
    tables = ", ".join(f"{name}: {{tables: [links]}}" for name in engines.split(", "))
    return f"engine: {{{tables}}}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "engines"), [(LINE, "flow, packet, rdma, anet"), (RING, "packet, rdma")]
)
def test_flows_of_each_link_add_up_to_its_bytes(tree, tmp_path, body, engines):
    for tables in run(tmp_path, specs(tree, body + asked(engines), engines)).values():
        assert [row["error"] for row in tables["runs"]] == [None]
        sums: dict[str, float] = defaultdict(float)
        for row in tables["link_flows"]:
            sums[row["link"]] += row["bytes"]
        carried = {row["link"]: row["bytes"] for row in tables["links"] if row["bytes"]}
        assert sums == carried
        into = {r["source"] for r in tables["link_flows"] if r["link"] == "ejection/2"}
        assert into == {"node 0", "node 1"}


@pytest.mark.slow
def test_counting_flows_changes_no_metric(tree, tmp_path):
    engines = "flow, packet, rdma, anet"
    plain = run(tmp_path / "plain", specs(tree, LINE, engines))
    counted = run(tmp_path / "counted", specs(tree, LINE + asked(engines), engines))
    for name, tables in plain.items():
        was, now = values(tables), values(counted[name])
        assert was.items() <= now.items()

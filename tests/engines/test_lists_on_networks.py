"""Lists and traffic on every shipped network, in `flow` and in `packet`: as puts of programs."""

from typing import Any

import pytest
from weft.plan import expand

from tests.config.conftest import Tree, tree
from tests.engines.test_packet import run

pytestmark = pytest.mark.slow

__all__ = ["tree"]
NETWORKS = [
    "anet", "gigabit", "infiniband_hdr", "infiniband_qdr", "multicast_crossbar", "opennsim_table3",
]  # fmt: skip
#: Keys of a topology; routers on the way from node 0 to 1, and to the last node.
TOPOLOGIES = {
    "crossbar": ("nodes: 4", 1, 1),
    "mesh": ("k: 4", 2, 7),
    "torus": ("k: 4", 2, 3),
    "hypercube": ("dimensions: 4", 2, 5),
    "fat_tree": ("k: 2, levels: 3", 1, 5),
    "dragonfly": ("p: 1, a: 2, h: 1", 2, None),
}
NODES = {"crossbar": 4, "fat_tree": 8, "dragonfly": 6}
SIZES = (8, 1000, 100_000)
#: From the start of one message to the next: each is alone.
APART_S = 0.1
ENGINES = ("flow", "packet")


def _experiment(tree: Tree, network: str, kind: str, body: str) -> list[dict[str, Any]]:
    keys = TOPOLOGIES[kind][0]
    # Its routing needs more of them than the networks have.
    wide = kind == "dragonfly"
    router = "network: {router: {virtual_channels: 4}}\n" if wide and "infini" in network else ""
    router = "network: {router: {virtual_channels: 4}}\n" if wide and "table" in network else router
    option = "" if router or not wide else "engine: {packet: {virtual_channels: 4}}\n"
    tree.experiment(
        f"defaults: [override /topology: {kind}, override /network: {network}]\n"
        f"topology: {{{keys}}}\n{router}{option}engines: [flow, packet]\n{body}"
    )
    return [point.spec for point in expand(tree.load())]


def _times(tables, engine: str) -> list[float]:
    assert [row["error"] for row in tables[engine]["runs"]] == [None]
    rows = sorted(tables[engine]["messages"], key=lambda row: row["start_s"])
    return [row["finish_s"] - row["start_s"] for row in rows]


class Closed:
    """The closed forms of docs/rdma.md, for a network as a spec has it."""

    def __init__(self, network: dict[str, Any], engine: str) -> None:
        self.bandwidth = network["bandwidth_bytes_per_s"]
        self.is_flow = engine == "flow"
        packet = network.get("packet") or {"flit_bytes": 16, "header_bytes": 0, "mtu_bytes": 256}
        self.flit, self.header = packet["flit_bytes"], packet["header_bytes"]
        self.payload = packet["mtu_bytes"] - self.header
        self.nic = network.get("nic") or {}
        self.cycle_s = self.flit / self.bandwidth
        router, cables = network.get("router"), network.get("cables")
        if router:
            stages = ("routing_s", "vc_allocation_s", "switch_allocation_s", "switch_traversal_s")
            self.router_s = sum(router[key] for key in (*stages, "switch_s"))
            self.cable_s = cables["cable_s"]
            self.ends_s = cables["injection_s"] + self.cable_s
            self.latency_s, self.control_s = network["software"]["put_s"], 0.0
        else:
            hop_s = network["hop_latency_s"]
            # The default pipeline of packet takes 4 cycles, and each channel at least one.
            self.router_s = 0.0 if self.is_flow else 4 * self.cycle_s
            self.cable_s = hop_s if self.is_flow else max(hop_s, self.cycle_s)
            self.ends_s = 0.0 if self.is_flow else 2 * self.cycle_s
            self.latency_s = network["latency_s"]

    def crossing(self, routers: int, size: int) -> float:
        sent = size + self.header
        if not self.is_flow:
            packets = max(1, -(-size // self.payload))
            last = size - (packets - 1) * self.payload + self.header
            full = (self.payload + self.header) // self.flit
            sent = ((packets - 1) * full + max(1, -(-last // self.flit))) * self.flit
        way_s = self.ends_s + routers * self.router_s + (routers - 1) * self.cable_s
        return way_s + sent / self.bandwidth

    def message(self, routers: int, size: int) -> float:
        """Of at most a packet, where DMA is as quick as the link, or moves whole packets."""
        rate, unit = self.nic.get("dma_bytes_per_s"), self.nic.get("dma_unit")
        moved = min(size, self.flit) if unit == "flit" else size
        dma_s = 2 * moved / rate if rate else 0.0
        return self.latency_s + dma_s + self.crossing(routers, size)

    def slack(self, routers: int) -> float:
        """What rounding to cycles may take: half a cycle a hop, and some at the nodes."""
        return 2e-12 * routers if self.is_flow else (routers / 2 + 4) * self.cycle_s


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_a_message_of_a_list_takes_its_closed_form_and_what_a_put_takes(
    tree, tmp_path, monkeypatch, network, kind
):
    monkeypatch.chdir(tree.root)
    _, near, far = TOPOLOGIES[kind]
    last = NODES.get(kind, 16) - 1
    sent = [(1, size) for size in SIZES] + ([(last, 8)] if far else [])
    rows = [f"0,{dst},{size},{i * APART_S}" for i, (dst, size) in enumerate(sent)]
    (tree.root / "list.csv").write_text("\n".join(["src,dst,bytes,start_s", *rows]) + "\n")
    listed = _experiment(
        tree, network, kind,
        "workload: {pattern: file, file: list.csv, message_size: null, per_node: 1}\n"
        "sweep: {engine.packet.tables: [[messages]], engine.flow.tables: [[messages]],"
        " engine.packet.max_cycles: [100000000000]}\n",
    )  # fmt: skip
    tables = run(tmp_path / "lists", listed)
    sizes = ", ".join(f"{size} B" for size in SIZES)
    programs = _experiment(
        tree, network, kind,
        f"workload: {{kind: program, program: pingpong, ranks: 2, message_size: [{sizes}]}}\n",
    )  # fmt: skip
    puts = run(tmp_path / "programs", programs)
    for engine in ENGINES:
        spec = next(each for each in listed if each["engine"] == engine)
        closed = Closed(spec["network"], engine)
        times = dict(zip(sent, _times(tables, engine), strict=True))
        found = {
            row["message_bytes"]: row["value"]
            for row in puts[engine]["metrics"] if row["metric"] == "put_time_s"
        }  # fmt: skip
        for size in SIZES:
            control_s = closed.crossing(near, 0)
            put_s = found[size] - control_s
            slack = max(2 * closed.slack(near), 1e-9 * put_s)
            assert times[1, size] == pytest.approx(put_s, rel=0, abs=slack), (engine, size)
        expected = {(1, 8): closed.message(near, 8)}
        if far:
            expected[last, 8] = closed.message(far, 8)
        if closed.payload >= 1000:
            expected[1, 1000] = closed.message(near, 1000)
        for (dst, size), time_s in expected.items():
            slack = closed.slack(far if far and dst == last else near)
            assert times[dst, size] == pytest.approx(time_s, rel=1e-9, abs=slack), (engine, dst)


@pytest.mark.parametrize("network", NETWORKS)
def test_saturated_traffic_fills_the_links_of_every_network(tree, tmp_path, network):
    body = (
        "workload: {kind: traffic, pattern: bit_complement, injection_rate: 1.0, per_node: 40, "
        "message_size: 20 KiB}\n"
    )
    specs = _experiment(tree, network, "crossbar", body)
    nic = specs[0]["network"].get("nic") or {}
    rate = nic.get("dma_bytes_per_s") or float("inf")
    packet = specs[0]["network"].get("packet")
    wire = packet["mtu_bytes"] / (packet["mtu_bytes"] - packet["header_bytes"]) if packet else 1
    most = min(1.0, rate * wire / specs[0]["network"]["bandwidth_bytes_per_s"])
    tables = run(tmp_path, specs)
    for engine in ENGINES:
        (row,) = (r for r in tables[engine]["metrics"] if r["metric"] == "accepted_rate")
        assert 0.93 * most <= row["value"] <= most * 1.01, engine


def test_messages_on_infiniband_take_as_long_in_packet_as_in_flow(tree, tmp_path, monkeypatch):
    monkeypatch.chdir(tree.root)
    found = {}
    for kind in ("mesh", "torus"):
        specs = _experiment(
            tree, "infiniband_hdr", kind,
            "workload: {kind: messages, pattern: uniform, per_node: 5, message_size: 100 KiB}\n",
        )  # fmt: skip
        tables = run(tmp_path / kind, specs)
        for engine in ENGINES:
            (row,) = (r for r in tables[engine]["metrics"] if r["metric"] == "makespan_s")
            found[kind, engine] = row["value"]
    for kind in ("mesh", "torus"):
        assert found[kind, "packet"] == pytest.approx(found[kind, "flow"], rel=0.5), kind
    assert found["torus", "packet"] < found["mesh", "packet"]
    assert found["torus", "flow"] < found["mesh", "flow"]

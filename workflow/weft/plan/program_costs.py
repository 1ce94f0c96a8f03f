"""What simulated programs cost, before anything alike has run: packets, their hops, and ranks."""

from __future__ import annotations

import math

from weft.plan.spec import PacketSpec, PointSpec, TopologySpec

#: What a rank takes beside its program's own memory: the stack that it touches, queues, its node.
RANK_BYTES = 16 * 1024.0
#: What any simulation takes.
LEAST_BYTES = 32e6
#: MTU of a network that says nothing.
MTU_BYTES = 2048


def runs_programs(spec: PointSpec) -> bool:
    """Whether a point executes its program, each in a process of its own."""
    return "stack_bytes" in spec["options"]


def program_work(spec: PointSpec) -> float:
    """Packets × hops, if every rank sends a message to as many others as programs of this name do:
    all of them in an all-to-all, else the logarithm of their number."""
    workload, ranks = spec["workload"], int(spec["workload"].get("ranks") or 2)
    everybody = str(workload.get("program", "")).startswith("alltoall")
    partners = ranks - 1 if everybody else max(1, math.ceil(math.log2(ranks)))
    packet = spec["network"].get("packet") or PacketSpec()
    data = max(1, int(packet.get("mtu_bytes") or MTU_BYTES) - int(packet.get("header_bytes") or 0))
    sizes = workload.get("message_bytes") or [0]
    packets = sum(max(1, math.ceil(size / data)) for size in sizes)
    return float(ranks * partners * packets) * _hops(spec["topology"])


def program_memory_bytes(spec: PointSpec) -> float:
    """Memory of a point that nothing is known about."""
    return LEAST_BYTES + RANK_BYTES * float(spec["workload"].get("ranks") or 2)


def _hops(topology: TopologySpec) -> float:
    """Channels on the way between two nodes, on average; the same for what has no sizes."""
    if sizes := topology.get("sizes"):
        around = 4 if topology.get("kind") == "torus" else 3
        return 2.0 + float(sum(size / around for size in sizes))
    return 2.0 * float(topology.get("levels") or topology.get("dimensions") or 1)

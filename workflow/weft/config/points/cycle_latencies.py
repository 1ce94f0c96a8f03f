"""Latencies in cycles, for engines that simulate every cycle of a channel's latency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.links import LinkEntry
from weft.config.model.network import DETAILED, Network
from weft.config.model.topology_base import Topology
from weft.config.model.workload import Workload

#: What calendars hold a slot for; a bound of the options, too.
MOST_CYCLES = 100_000
#: The option by which such an engine is known.
_OPTION = "channel_latency_cycles"


def latency_problems(
    engine: str, network: Network, topology: Topology, workload: Workload, options: Settings
) -> Iterator[Problem]:
    """Latencies in seconds that are more cycles than `engine` simulates, each with its key.

    `network` has only the sections that the engine looks at.
    """
    # Its cycles are those of BookSim2, whose channels are allowed far less.
    if _OPTION not in type(options).model_fields or network.bandwidth is None:
        return
    flit_bytes = _flit_bytes(network, workload, options)
    if not flit_bytes:
        return
    cycle_s = flit_bytes / network.bandwidth
    found = dict(_detailed(network))
    if not any(getattr(network, key) for key in DETAILED):
        found["network.hop_latency"] = network.hop_latency
    links: Sequence[LinkEntry] = getattr(topology, "links", ())
    for i, link in enumerate(links):
        found[f"topology.links[{i}].latency"] = link.latency or 0.0
    for key, latency_s in found.items():
        # A quotient that misses a whole number by a bit is that number.
        cycles = latency_s / cycle_s * (1 - 1e-12)
        if cycles > MOST_CYCLES:
            yield Problem(
                key,
                f"{latency_s:g} s; {engine} simulates at most {MOST_CYCLES} cycles of "
                f"{cycle_s:g} s here, {MOST_CYCLES * cycle_s:g} s",
                (key, "network.bandwidth"),
            )


def _flit_bytes(network: Network, workload: Workload, options: Settings) -> float | None:
    """What a channel carries in one cycle; of messages that are one packet, the smallest's part."""
    if network.packet:
        return network.packet.flit
    flit_size: float | None = getattr(options, "flit_size", None)
    if flit_size is not None:
        return float(flit_size)
    sizes: list[int] = [each for each in getattr(workload, "message_size", None) or () if each]
    packet_flits: int | None = getattr(options, "packet_flits", None)
    return min(sizes) / packet_flits if sizes and packet_flits else None


def _detailed(network: Network) -> Iterator[tuple[str, float]]:
    if network.cables:
        yield "network.cables.latency", network.cables.latency
        yield "network.cables.injection_latency", network.cables.injection_latency or 0.0
    for key in type(network.router).model_fields if network.router else ():
        if key.endswith(("_time", "_latency")):
            yield f"network.router.{key}", getattr(network.router, key)

"""How far buffers hold back a channel, as points of an engine that simulates flits describe it.

A buffer that is smaller than its credit loop carries its size in each loop. The engine decides this
(docs/packet.md); here stands the same in whole cycles, so that plans and pages can say it, also
where no executable is built. A test holds it against the buffers that the simulator builds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NotRequired, TypedDict, cast

from weft.plan.spec import NetworkSpec, PointSpec

#: Where nothing gives the size of a buffer, it has at least so many flits.
LEAST_FLITS = 8
_DETAILED = ("router", "cables", "software")
#: The option by which an engine that simulates flits is known.
_KNOWN_BY = "switch_traversal_delay_cycles"
#: Options that a section of the network gives instead, unless they are set by hand.
_OF_SECTIONS = {
    "packet": ("flit_bytes", "packet_flits"),
    "router": (
        "virtual_channels", "torus_classes", "vc_buffer_flits", "routing_delay_cycles",
        "vc_allocation_delay_cycles", "switch_allocation_delay_cycles",
        "switch_traversal_delay_cycles",
    ),
    "cables": (
        "channel_latency_cycles", "injection_latency_cycles", "ejection_latency_cycles",
    ),
}  # fmt: skip


class FlitOptions(TypedDict):
    """What such an engine's options say of channels and buffers."""

    channel_latency_cycles: int
    injection_latency_cycles: int
    ejection_latency_cycles: int
    class_latency_cycles: NotRequired[Mapping[str, int]]
    switch_traversal_delay_cycles: int
    credit_delay_cycles: int
    speculative: bool
    switching: str
    packet_flits: int
    flit_bytes: NotRequired[float]
    vc_buffer_flits: NotRequired[int]


@dataclass(frozen=True, slots=True)
class Credits:
    """The buffer of a virtual channel, and the credit loop of the slowest channel."""

    buffer_flits: int
    loop_cycles: int
    is_given: bool

    @property
    def share(self) -> float:
        """The share of its link that a virtual channel may use."""
        return min(1.0, self.buffer_flits / self.loop_cycles)


def by_hand(spec: PointSpec, defaults: Mapping[str, object]) -> list[str]:
    """Options of a list or of traffic that count instead of what sections of the network give."""
    options: Mapping[str, object] = spec["options"]
    if spec["workload"].get("kind") == "program":
        return []
    return [
        key
        for section, keys in _OF_SECTIONS.items() if spec["network"].get(section)
        for key in keys if options.get(key) != defaults.get(key)
    ]  # fmt: skip


def credits_of(spec: PointSpec, defaults: Mapping[str, object]) -> Credits | None:
    """The credits of a point; None where its engine has no buffers, or its cycle is not known."""
    network = spec.get("network") or {}
    if _KNOWN_BY not in spec["options"] or "bandwidth_bytes_per_s" not in network:
        return None
    options, kept = cast("FlitOptions", spec["options"]), by_hand(spec, defaults)
    packet, router = network.get("packet"), network.get("router")
    flit = options.get("flit_bytes")
    if packet and "flit_bytes" not in kept:
        flit = packet["flit_bytes"]
    packet_flits = options["packet_flits"]
    if packet and "packet_flits" not in kept:
        packet_flits = ceil(packet["mtu_bytes"] / (flit or packet["flit_bytes"]))
    sizes = spec["workload"].get("message_bytes") or [0]
    cycle_s = (flit or min(sizes) / packet_flits) / network["bandwidth_bytes_per_s"]
    if not cycle_s:
        return None
    links = [link.get("latency_s") or 0.0 for link in spec["topology"].get("links") or ()]
    channels = _channels(spec, options, kept, cycle_s)
    slowest = max(*channels, *(round(each / cycle_s) for each in links), 1)
    traversal = _traversal(network, options, kept, cycle_s)
    loop = 2 + 2 * slowest + traversal + options["credit_delay_cycles"]
    given = options.get("vc_buffer_flits")
    if given is None and router:
        given = int(router["vc_buffer_bytes"] // (flit or 1))
    needed = packet_flits if options["switching"] == "virtual_cut_through" else 1
    buffer = given if given is not None else min(max(LEAST_FLITS, loop, needed), 2**16 - 1)
    return Credits(buffer, loop, given is not None)


def _channels(
    spec: PointSpec, options: FlitOptions, kept: Sequence[str], cycle_s: float
) -> list[int]:
    """Cycles of the kinds of channels."""
    network, classes = spec["network"], options.get("class_latency_cycles") or {}
    channel = options["channel_latency_cycles"]
    injection, ejection = options["injection_latency_cycles"], options["ejection_latency_cycles"]
    hop_s = network.get("hop_latency_s") or 0.0
    is_programs = spec["workload"].get("kind") == "program"
    if cables := network.get("cables"):
        laid = _whole(cables["cable_s"], cycle_s)
        injected = _whole(cables["injection_s"], cycle_s)
        left = max(_nearest(cables["injection_s"], cycle_s) + laid - injected, 1)
        channel = channel if "channel_latency_cycles" in kept else laid
        injection = injection if "injection_latency_cycles" in kept else injected
        ejection = ejection if "ejection_latency_cycles" in kept else left
    elif (
        hop_s
        and (is_programs or channel == 1)
        and not any(network.get(section) for section in _DETAILED)
    ):
        channel = max(1, ceil(hop_s / cycle_s * (1 - 1e-12)))
    return [channel, injection, ejection, *classes.values()]


def _traversal(
    network: NetworkSpec, options: FlitOptions, kept: Sequence[str], cycle_s: float
) -> int:
    """Cycles in which a flit crosses a switch."""
    router, cables = network.get("router"), network.get("cables")
    if not router or _KNOWN_BY in kept:
        return options["switch_traversal_delay_cycles"]
    laid_cycles = _whole(cables["cable_s"], cycle_s) if cables else 0
    head_s = (
        router["routing_s"]
        + router["vc_allocation_s"]
        + router["switch_allocation_s"]
        + router["switch_traversal_s"]
        + router["switch_s"]
        + (cables["cable_s"] if cables else 0.0)
    )
    total = _nearest(head_s, cycle_s) - laid_cycles
    before = 0 if total < 4 else _whole(router["routing_s"], cycle_s)
    before += _whole(router["vc_allocation_s"], cycle_s) + (not options["speculative"])
    return max(total - before, 1)


def _nearest(time_s: float, cycle_s: float) -> int:
    return int(time_s / cycle_s + 0.5)


def _whole(time_s: float, cycle_s: float) -> int:
    return max(_nearest(time_s, cycle_s), 1)


def limit_sentence(found: Sequence[Credits]) -> str | None:
    """Where credits limit a link below its rate, by how much at worst."""
    held = [each for each in found if each.share < 1]
    if not held:
        return None
    worst = min(held, key=lambda each: each.share)
    return (
        f"buffers of {worst.buffer_flits} flits let a virtual channel use at most "
        f"{worst.share:.2g} of its link, because a credit takes {worst.loop_cycles} cycles"
    )


def notes(specs: Sequence[PointSpec], defaults: Mapping[str, object]) -> Iterator[str]:
    """What a plan says of the buffers of an engine's points, and of options that count by hand."""
    found = [each for spec in specs if (each := credits_of(spec, defaults))]
    chosen = [each.buffer_flits for each in found if not each.is_given]
    if chosen and max(chosen) > LEAST_FLITS:
        yield f"vc_buffer_flits is {max(chosen)}, the flits of the longest credit loop"
    if kept := sorted({key for spec in specs for key in by_hand(spec, defaults)}):
        yield f"the experiment sets {', '.join(kept)} in place of what the network's sections give"
    if limit := limit_sentence(found):
        yield limit

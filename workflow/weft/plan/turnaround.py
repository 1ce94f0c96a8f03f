"""How far the time between two packets of a virtual channel holds back a link.

The next packet in a buffer gets its route and its virtual channel only when the last flit of the
packet before has left. A link hides this time while another virtual channel sends. Where classes
of routes leave each link one virtual channel, as on a torus with two of them, it cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast

from weft.config.model.catalogue import CATALOGUE
from weft.plan.spec import PointSpec, TopologySpec

#: The option by which an engine that simulates flits is known.
_KNOWN_BY = "vc_allocation_delay_cycles"


class TurnaroundOptions(TypedDict):
    """What such an engine's options say of packets and virtual channels."""

    virtual_channels: int | str
    torus_classes: NotRequired[str]
    packet_flits: int
    routing_delay_cycles: int
    vc_allocation_delay_cycles: int
    speculative: bool


@dataclass(frozen=True, slots=True)
class Turnaround:
    """The flits of a packet, the cycles until the next one may follow, and the number of virtual
    channels, of which each class of packets has one."""

    packet_flits: int
    cycles: int
    virtual_channels: int

    @property
    def share(self) -> float:
        """The share of its link that a virtual channel may use."""
        return self.packet_flits / (self.packet_flits + self.cycles)


def turnaround_of(spec: PointSpec) -> Turnaround | None:
    """That of a point; None where its links have further virtual channels for each class, where
    the network has routers of its own, and of engines without virtual channels."""
    network = spec.get("network") or {}
    if _KNOWN_BY not in spec["options"] or network.get("router") or network.get("packet"):
        return None
    options = cast("TurnaroundOptions", spec["options"])
    given, classes = options["virtual_channels"], _classes(spec["topology"], options)
    if not isinstance(given, int) or classes is None or given // classes != 1:
        return None
    cycles = options["routing_delay_cycles"] + options["vc_allocation_delay_cycles"]
    return Turnaround(options["packet_flits"], cycles - options["speculative"], given)


def _classes(topology: TopologySpec, options: TurnaroundOptions) -> int | None:
    """Into how many classes a link's virtual channels fall, each for other packets alone; None
    where packets have a choice, or where that depends on links."""
    entry = next(each for each in CATALOGUE.topologies if each.kind == topology["kind"])
    named = topology.get("routing")
    routing = next((e for e in entry.routings if e.name == named), entry.routings[0])
    ways = {way.name: way for way in entry.ring_classes}
    way = ways.get(str(options.get("torus_classes")))
    is_shared = way is not None and way.multiple_of == 1
    if is_shared or not routing.is_static or entry.kind == "graph" or topology.get("failed"):
        return None
    return routing.classes


def turnaround_sentence(found: Sequence[Turnaround], key: str) -> str | None:
    """By how much links stay below their rate at worst; `key` sets the number of virtual channels
    in an experiment file."""
    if not found:
        return None
    worst = min(found, key=lambda each: each.share)
    flits = "1 flit" if worst.packet_flits == 1 else f"{worst.packet_flits} flits"
    return (
        f"where {key} is {worst.virtual_channels}, links carry at most "
        f"{worst.share:.2g} of their rate, because there is one for each class of packets: the next "  # noqa: E501
        f"packet waits {worst.cycles} cycles for its route and its virtual channel after each one "
        f"of {flits}; with {2 * worst.virtual_channels} virtual channels another one "
        f"sends meanwhile"
    )

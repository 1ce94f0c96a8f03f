"""Sections of a network: packets, routers, cables, interfaces of nodes, and software."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from weft.config.language.quantities import Delay, Rate, Size
from weft.config.language.section import Settings, SpecName
from weft.config.model.catalogue import CATALOGUE

if TYPE_CHECKING:
    RingClasses = str
else:
    RingClasses = Literal[
        tuple(one.name for entry in CATALOGUE.topologies for one in entry.ring_classes)
    ]
MOST_BYTES = 2**20
MOST_CHANNELS = 64


def _unless_given(quantity: str) -> Any:
    """A default in the way a value is written, and checked likewise."""
    return Field(quantity, validate_default=True)


class Packet(Settings):
    """How messages are divided into packets."""

    mtu: Annotated[Size, SpecName("mtu_bytes"), Field(ge=1, le=MOST_BYTES)] = _unless_given("2 KiB")
    """Largest size of a packet, header included; at most 1 MiB."""
    header: Annotated[Size, SpecName("header_bytes")] = _unless_given("0 B")
    """Size of a packet's header, which leaves room for data in the MTU."""
    control: Annotated[Size, SpecName("control_bytes")] = _unless_given("0 B")
    """Size of a control packet's content behind its header."""
    flit: Annotated[Size, SpecName("flit_bytes"), Field(ge=1)] = _unless_given("16 B")
    """Size of a flit: the size of a packet on a link is rounded up to whole flits, and the MTU is a
    whole number of flits."""

    @field_validator("header", "control")
    @classmethod
    def _fits(cls, value: int, info: ValidationInfo) -> int:
        mtu, header = info.data.get("mtu"), info.data.get("header", 0)
        if info.field_name == "header" and mtu is not None and value >= mtu:
            raise ValueError(f"{value} B leave no room for data: must be below the MTU of {mtu} B")
        if info.field_name == "control" and mtu is not None and header + value > mtu:
            raise ValueError(
                f"a control packet of {header} + {value} B is larger than the MTU of {mtu} B"
            )
        return value

    @field_validator("flit")
    @classmethod
    def _divides(cls, value: int, info: ValidationInfo) -> int:
        mtu = info.data.get("mtu")
        if mtu is not None and mtu % value:
            raise ValueError(f"the MTU of {mtu} B is not a whole number of flits of {value} B")
        return value


class Router(Settings):
    """The pipeline and the buffers of a router. Its times are those of a packet's head without
    contention; a packet is serialised once on its path (virtual cut-through)."""

    routing_time: Annotated[Delay, SpecName("routing_s")] = _unless_given("0 s")
    """Time in which a router computes the route of a packet."""
    vc_allocation_time: Annotated[Delay, SpecName("vc_allocation_s")] = _unless_given("0 s")
    """Time in which a packet gets a virtual channel."""
    switch_allocation_time: Annotated[Delay, SpecName("switch_allocation_s")] = _unless_given("0 s")
    """Time in which a packet gets the switch."""
    switch_traversal_time: Annotated[Delay, SpecName("switch_traversal_s")] = _unless_given("0 s")
    """Time in which a head crosses the switch, as far as the serialisation does not include it."""
    switch_latency: Annotated[Delay, SpecName("switch_s")] = _unless_given("0 s")
    """Time that a switch takes beside these steps."""
    virtual_channels: Annotated[int, Field(ge=1, le=MOST_CHANNELS)] = 2
    """Virtual channels of each port."""
    vc_buffer: Annotated[Size, SpecName("vc_buffer_bytes"), Field(ge=1)] = _unless_given("8 KiB")
    """Size of the buffer of a virtual channel, at least a packet."""
    crossbar_inputs: Literal["per_port", "per_vc"] = "per_port"
    """Whether only one virtual channel of a port may send at a time, or all of them."""
    torus_classes: RingClasses = "dateline"
    """Which virtual channels a packet may take in a ring of a torus: one half, by whether its path
    wraps around, or more of them where no deadlock is possible."""
    arbitration: Literal["round_robin"] = "round_robin"
    """Which of several waiting packets goes first."""


class Cables(Settings):
    """The delays of cables."""

    latency: Annotated[Delay, SpecName("cable_s")] = _unless_given("0 s")
    """Time from router to router, and from router to node."""
    injection_latency: Annotated[Delay | None, SpecName("injection_s")] = None
    """Time from node to router; as `latency` unless given."""

    def spec(self) -> dict[str, object]:
        """As the base class, with both latencies."""
        return {"injection_s": self.latency, **super().spec()}


class Nic(Settings):
    """Network interface and memory of a node."""

    dma_bandwidth: Annotated[Rate | None, SpecName("dma_bytes_per_s")] = None
    """Rate between memory and interface; without limit unless given."""
    memory_bandwidth: Annotated[Rate | None, SpecName("memory_bytes_per_s")] = None
    """Rate of copies of eager messages and of transfers inside a node; without limit unless
    given."""
    dma_unit: Literal["flit", "packet", "message"] = "flit"
    """The unit that a transfer finishes before it goes on: a flit (a pipeline, which adds the time
    of one flit on each side), a packet, or the whole message (store and forward)."""
    service: Literal["in_order", "round_robin"] = "in_order"
    """How a program's messages share the interface that sends them: one after another, in the order
    in which the program hands them over, or all of them in turn, a packet of each."""


class Software(Settings):
    """What the communication library costs."""

    send_overhead: Annotated[Delay, SpecName("send_overhead_s")] = _unless_given("0 s")
    """Processor time at the start of a call that communicates."""
    receive_overhead: Annotated[Delay, SpecName("receive_overhead_s")] = _unless_given("0 s")
    """Processor time at the end of a call that communicates."""
    node_latency: Annotated[Delay, SpecName("put_s")] = _unless_given("0 s")
    """Time before the DMA of each put."""

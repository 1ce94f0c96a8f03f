"""Buffers in flits, for engines that have an option for them and the network's sections instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.network import Network

#: What a counter of a buffer's flits holds, as in the option.
MOST_BUFFER_FLITS = 2**16 - 1


def flit_buffer_problems(engine: str, network: Network, options: Settings) -> Iterator[Problem]:
    """Buffers that are too large for an engine that counts their flits, or hold no whole packet.

    Sections of the network stand in place of options: `router` gives the buffers, `packet` the
    flits and the packets. Rules of the engine's file compare where both or none are given. A buffer
    that nothing gives is as large as it needs to be.
    """
    said = options.spec()
    own = cast("dict[str, int]", said)
    if "vc_buffer_flits" not in type(options).model_fields:
        return
    given = own.get("vc_buffer_flits")
    router, packet = network.router, network.packet
    flit_bytes = packet.flit if packet else own.get("flit_bytes")
    if flit_bytes is None:
        return
    if given is not None:
        buffer_flits = given
    elif router:
        buffer_flits = int(router.vc_buffer // flit_bytes)
    else:
        return
    packet_flits = -(-packet.mtu // packet.flit) if packet else own["packet_flits"]
    key = f"engine.{engine}.vc_buffer_flits" if given else "network.router.vc_buffer"
    related = "network.packet.mtu" if packet else f"engine.{engine}.packet_flits"
    if buffer_flits > MOST_BUFFER_FLITS:
        most = f"{engine} counts at most {MOST_BUFFER_FLITS} flits of {flit_bytes:g} B in a buffer"
        yield Problem(key, f"{buffer_flits} flits; {most}")
    elif (
        said["switching"] == "virtual_cut_through"
        and (bool(router) != bool(packet) or (given is not None and router))
        and buffer_flits < packet_flits
    ):
        needs = f"virtual_cut_through needs buffers that hold a packet of {packet_flits} flits"
        advice = "; give the network a section router, or more flits here" if given else ""
        yield Problem(key, f"{buffer_flits} flits; {needs}{advice}", (related,))

"""Limits of a network's times and rates, for engines that simulate it in whole picoseconds."""

from __future__ import annotations

from collections.abc import Iterator

from weft.config.language.errors import Problem
from weft.config.language.section import Settings, key_names
from weft.config.model.network import Network
from weft.config.model.network_sections import Packet
from weft.files.dotted import dotted

#: A flit's time at least: what is rounded to picoseconds is then off by a twentieth of a flit.
SHORTEST_FLIT_S = 10e-12
#: A delay, and a packet's time, at most: 2^64 ps hold 18 million of them in a row.
LONGEST_S = 1.0
MOST_FLITS = 2**16 - 1
MOST_BUFFER_FLITS = 2**32 - 1


def scale_problems(engine: str, network: Network, options: Settings) -> Iterator[Problem]:
    """Times and rates that picoseconds in 64 bits cannot hold, and packets of too many flits.

    Where the network has no section `packet`, packets are those of the engine's options, if it has
    such options.
    """
    written = {spec: key for key, spec in key_names(Network).items()}
    values = {key: value for key, value in dotted(network.spec()) if value is not None}
    packet, packet_key = network.packet or Packet(), "network.packet.mtu"
    flit, mtu = packet.flit, packet.mtu
    own = vars(options)
    if network.packet is None and own.get("flit_size") and "packet_flits" in own:
        flit, packet_key = own["flit_size"], f"engine.{engine}.packet_flits"
        mtu = flit * own["packet_flits"]
        rate = network.bandwidth or mtu
        if mtu > rate * LONGEST_S:
            text = f"{flit} B; packets of packet_flits of them take more than {LONGEST_S:g} s"
            yield Problem(f"engine.{engine}.flit_size", f"{text} at {rate:g} B/s")
            return

    def problem(key: str, message: str) -> Problem:
        return Problem(f"network.{written[key]}", message)

    for key, value in values.items():
        if key.endswith("_bytes_per_s") and value < mtu / LONGEST_S:
            least = f"{value:g} B/s; must be at least {mtu / LONGEST_S:g} B/s"
            yield problem(key, f"{least}: a packet of {mtu} B takes 1 s at most")
        elif key.endswith("_s") and not key.endswith("_per_s") and value > LONGEST_S:
            yield problem(key, f"{value:g} s; must be at most {LONGEST_S:g} s")
    fastest = flit / SHORTEST_FLIT_S
    # A small share for the division, so that the bound itself is allowed.
    for key in ("bandwidth_bytes_per_s", "costs.link_bandwidth_bytes_per_s"):
        rate = values.get(key, 0)
        if rate > fastest * (1 + 1e-9):
            text = f"{rate:g} B/s; must be at most {fastest:g} B/s: a flit of {flit} B {_FLIT}"
            yield problem(key, text)
    if -(-mtu // flit) > MOST_FLITS:
        yield Problem(packet_key, f"{mtu} B; must be at most {MOST_FLITS} flits of {flit} B")
    buffer = values.get("router.vc_buffer_bytes", 0)
    if buffer // flit > MOST_BUFFER_FLITS:
        text = f"{buffer} B; must be at most {MOST_BUFFER_FLITS} flits of {flit} B"
        yield problem("router.vc_buffer_bytes", text)


_FLIT = "takes 10 ps at least, since times are whole picoseconds"

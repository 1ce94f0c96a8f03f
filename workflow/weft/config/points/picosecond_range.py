"""Limits of a network's times and rates, for engines that simulate it in whole picoseconds."""

from __future__ import annotations

from collections.abc import Iterator

from weft.config.language.errors import Problem
from weft.config.language.section import key_names
from weft.config.model.network import Network
from weft.config.model.network_sections import Packet
from weft.files.dotted import dotted

#: A flit's time at least: what is rounded to picoseconds is then off by a twentieth of a flit.
SHORTEST_FLIT_S = 10e-12
#: A delay, and a packet's time, at most: 2^64 ps hold 18 million of them in a row.
LONGEST_S = 1.0
MOST_FLITS = 2**16 - 1
MOST_BUFFER_FLITS = 2**32 - 1


def scale_problems(network: Network) -> Iterator[Problem]:
    """Times and rates that picoseconds in 64 bits cannot hold, and packets of too many flits."""
    written = {spec: key for key, spec in key_names(Network).items()}
    values = {key: value for key, value in dotted(network.spec()) if value is not None}
    packet = network.packet or Packet()
    flit, mtu = packet.flit, packet.mtu

    def problem(key: str, message: str) -> Problem:
        return Problem(f"network.{written[key]}", message)

    for key, value in values.items():
        if key.endswith("_bytes_per_s") and value < mtu / LONGEST_S:
            yield problem(
                key, f"{value:g} B/s; must be at least {mtu / LONGEST_S:g} B/s: {_PACKET}"
            )
        elif key.endswith("_s") and not key.endswith("_per_s") and value > LONGEST_S:
            yield problem(key, f"{value:g} s; must be at most {LONGEST_S:g} s")
    fastest = flit / SHORTEST_FLIT_S
    # A small share for the division, so that the bound itself is allowed.
    if values.get("bandwidth_bytes_per_s", 0) > fastest * (1 + 1e-9):
        rate = values["bandwidth_bytes_per_s"]
        text = f"{rate:g} B/s; must be at most {fastest:g} B/s: a flit of {flit} B {_FLIT}"
        yield problem("bandwidth_bytes_per_s", text)
    if -(-mtu // flit) > MOST_FLITS:
        yield problem(
            "packet.mtu_bytes", f"{mtu} B; must be at most {MOST_FLITS} flits of {flit} B"
        )
    buffer = values.get("router.vc_buffer_bytes", 0)
    if buffer // flit > MOST_BUFFER_FLITS:
        text = f"{buffer} B; must be at most {MOST_BUFFER_FLITS} flits of {flit} B"
        yield problem("router.vc_buffer_bytes", text)


_PACKET = "a packet of the MTU takes 1 s at most"
_FLIT = "takes 10 ps at least, since times are whole picoseconds"

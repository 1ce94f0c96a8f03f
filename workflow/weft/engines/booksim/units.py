"""Cycles and flits: what they are in bytes and seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from weft.engines.booksim.configuration import InexpressibleError
from weft.plan.spec import NetworkSpec, OptionsSpec


@dataclass(frozen=True, slots=True)
class Units:
    """The packet that carries a message of one size, and how long a cycle is.

    A cycle is the time that a link takes for a flit.
    """

    packet_flits: int
    cycle_s: float
    #: Latency of channels between routers; None where the option sets it.
    hop_latency_cycles: int | None


def units(network: NetworkSpec, options: OptionsSpec, message_bytes: float) -> Units:
    """The units for messages of `message_bytes`.

    Raises InexpressibleError where a message takes several packets, or waits before it is sent.
    """
    if not message_bytes > 0:
        raise InexpressibleError("BookSim2's packets have at least one flit; a message has 0 bytes")
    flit_bytes, flits = options.get("flit_bytes"), int(options["packet_flits"])
    if flit_bytes is None:
        flit_bytes = message_bytes / flits
    else:
        needed = math.ceil(message_bytes / flit_bytes)
        if needed > flits:
            raise InexpressibleError(
                f"a message of {message_bytes:g} bytes takes {-(-needed // flits)} packets, and "
                f"BookSim2's messages are single packets; set flit_size: null, or packet_flits to "
                f"{needed} or more"
            )
        flits = needed
    cycle_s = flit_bytes / network["bandwidth_bytes_per_s"]
    if network.get("latency_s"):
        raise InexpressibleError("BookSim2 does not delay messages; network.latency must be 0 s")
    hop_s = network.get("hop_latency_s") or 0.0
    # A hair's breadth above a whole number of cycles is that number.
    hop = max(1, math.ceil(hop_s / cycle_s * (1 - 1e-12))) if hop_s > 0 else None
    return Units(flits, cycle_s, hop)

"""SMPI's own settings: what weft's network and options say, and all else off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from weft.engines.order import ResolvedPoint
from weft.engines.simgrid.description import contexts

#: Of a rank; only what is touched counts.
STACK_KIB = 1024
#: Where a node's memory is infinitely fast: no message takes a femtosecond.
_BOUNDLESS_BYTES_PER_S = 1e30
#: What is known before there is a platform. Calls that look whether something has arrived take a
#: nanosecond, because a rank that looks again and again would stop the clock.
EARLY = {
    "network/model": "CM02",
    "smpi/simulate-computation": "no",
    "smpi/init": "0",
    "smpi/wtime": "0",
    "smpi/test": "1e-9",
    "smpi/iprobe": "1e-9",
    "smpi/grow-injected-times": "no",
    "smpi/host-speed": "1f",
    **contexts(STACK_KIB),
}


def smpi_settings(point: ResolvedPoint) -> dict[str, str]:
    """The protocol, the overheads of calls, and the way between ranks of one node.

    Below its limits SMPI sends a message at once (`async-small-thresh`) and frees the sender
    (`send-is-detached-thresh`); weft's limit is the largest such message.
    """
    limit = int(point["options"]["eager_limit_bytes"]) + 1
    software = point["network"].get("software") or {}
    send_s = float(software.get("send_overhead_s") or 0.0)
    receive_s = float(software.get("receive_overhead_s") or 0.0)
    nic = cast("Mapping[str, Any]", point["network"].get("nic") or {})
    memory = nic.get("memory_bytes_per_s")
    return {
        "network/loopback-bw": repr(float(memory or _BOUNDLESS_BYTES_PER_S)),
        "network/loopback-lat": "0",
        "smpi/async-small-thresh": str(limit),
        "smpi/send-is-detached-thresh": str(limit),
        "smpi/os": f"0:{send_s!r}:0",
        "smpi/ois": f"0:{send_s!r}:0",
        "smpi/or": f"0:{receive_s!r}:0",
    }

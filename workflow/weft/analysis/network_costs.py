"""From fitted curves to the section `costs` of a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from weft.analysis.curve import FittedCurve, seconds
from weft.analysis.loggp import FittedLogGP
from weft.analysis.pingpongs import Placement

#: The share of the shortest time of 0 bytes that links have as latency. Each byte of a link takes a
#: time that leaves a quarter of the shortest time to software at every size, so that simulators,
#: whose packets fill whole flits, are never slower than what was measured.
LINK_SHARE = 0.5
SLACK = 0.25
#: The curves of one transfer that nothing else accompanies.
ALONE = ("one_way", "put")
#: Those of whole transfers.
WHOLE = (*ALONE, "two_way")
#: No message is larger.
LARGEST_BYTES = 2**32
#: No link carries a byte in less (1 TB/s). Where the last piece is flatter, something disturbed the
#: measurement, and nothing follows for messages that were not measured.
FASTEST_BYTE_S = 1e-12

Curves = Mapping[str, FittedCurve]


def costs_of(curves: Mapping[Placement, Curves], loggp: FittedLogGP) -> dict[str, object]:
    """The section's plain values; where only one node was measured, links are as its memory.

    Raises KeyError without a curve of one way in each placement.
    """
    between = curves.get("between_nodes") or curves["inside_node"]
    inside = curves.get("inside_node")
    latency_s, bandwidth = _links(between)
    found: dict[str, object] = {
        "link_latency_s": latency_s,
        "link_bandwidth_bytes_per_s": bandwidth,
        "between_nodes": _plain(between),
        "loggp": asdict(loggp),
    }
    return found if inside is None else {**found, "inside_node": _plain(inside)}


def eager_limit_bytes(curve: FittedCurve) -> int | None:
    """The size behind which the time jumps upwards by the largest factor: the last eager one.

    That 0 bytes take less than the first one says nothing of protocols.
    """
    factors = {
        size: seconds(curve.pieces, size + 1) / seconds(curve.pieces, size)
        for size in curve.jumps_bytes
    }
    rising = {size: factor for size, factor in factors.items() if factor > 1 and size > 0}
    return max(rising, key=lambda size: rising[size], default=None)


def _plain(curves: Curves) -> dict[str, object]:
    limit = eager_limit_bytes(curves["one_way"])
    found: dict[str, object] = {} if limit is None else {"eager_limit_bytes": limit}
    for name, curve in curves.items():
        found[name] = [
            {
                "from_bytes": piece.from_bytes,
                "time_s": piece.time_s,
                "byte_time_s": piece.byte_time_s,
            }
            for piece in curve.pieces
        ]
    return found


def _links(curves: Curves) -> tuple[float, float]:
    """Latency and bandwidth that no message is faster than."""
    alone = [curve for name, curve in curves.items() if name in ALONE]
    shortest = min(curve.seconds(0) for name, curve in curves.items() if name in WHOLE)
    fixed = (LINK_SHARE + SLACK) * shortest
    rates = [
        size / max(time - fixed, SLACK * shortest) for curve in alone for size, time in _ends(curve)
    ]
    stream = _ends(curves["gap"]) if "gap" in curves else []
    rates += [size / max(gap, SLACK * shortest) for size, gap in stream]
    return LINK_SHARE * shortest, max(rates)


def _ends(curve: FittedCurve) -> list[tuple[float, float]]:
    """Sizes with times between which no message of the curve has a higher rate."""
    grows = curve.pieces[-1].byte_time_s >= FASTEST_BYTE_S
    largest = LARGEST_BYTES if grows else max(curve.message_bytes)
    found = []
    for piece, after in zip(curve.pieces, [*curve.pieces[1:], None], strict=True):
        last = after.from_bytes - 1 if after else largest
        for size in {max(piece.from_bytes, 1), last}:
            found.append((float(size), piece.seconds(size)))
    return found

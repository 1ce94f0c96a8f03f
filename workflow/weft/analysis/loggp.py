"""LogGP's constants from a ping-pong and an exchange."""

from __future__ import annotations

from dataclasses import dataclass

from weft.analysis.curve import FittedCurve
from weft.analysis.hockney import Hockney


@dataclass(frozen=True, slots=True)
class FittedLogGP:
    """The constants of Alexandrov et al. 1995."""

    latency_s: float
    overhead_s: float
    gap_s: float
    byte_time_s: float


def loggp_of(
    line: Hockney, both_ways: FittedCurve | None, stream: FittedCurve | None = None
) -> FittedLogGP:
    """L + 2o and G are those of the line; g is that of a stream of messages. Where no stream was
    measured, a rank that sends and receives a byte at once is busy for two gaps. The gap holds the
    overhead. A ping-pong alone says nothing of o and g: then both are 0 and L is the whole latency.
    """
    gap = stream.seconds(1) if stream else both_ways.seconds(1) / 2 if both_ways else 0.0
    overhead = min(gap, line.latency_s / 2)
    return FittedLogGP(line.latency_s - 2 * overhead, overhead, gap, 1 / line.bandwidth_bytes_per_s)

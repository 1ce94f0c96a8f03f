"""BookSim2's numbers as the metrics of engine `packet`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate

from weft.engines.booksim.output import Output, Statistic
from weft.engines.booksim.simulation import Simulation
from weft.engines.journal import MetricLine

#: BookSim2's name -> metric and row of its histogram.
LATENCIES = {
    "Packet latency": ("packet_latency", "plat_hist"),
    "Network latency": ("network_latency", "nlat_hist"),
    "Flit latency": ("flit_latency", "flat_hist"),
}
PERCENTILES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
#: Share of the offered flits that a network may leave over in the window and yet keep up.
TOLERATED = 0.01
Number = tuple[str, float, str]


def metrics(simulation: Simulation, output: Output) -> Iterator[MetricLine]:
    """The rows of `metrics` for one message size, without those that a run did not print."""
    for name, value, unit in _numbers(simulation, output):
        if math.isfinite(value):
            size = simulation.message_bytes
            yield {"metric": name, "message_bytes": size, "value": value, "unit": unit}


def is_saturated(simulation: Simulation, output: Output) -> bool:
    """Whether the backlog grows: less is accepted than offered, or packets arrive too late.

    What a network that keeps up may leave over is a share of what is offered, and three standard
    deviations of the difference between the packets under way at two instants (Little's law).
    """
    offered, accepted = simulation.offered_rate, output.overall.get("Accepted flit rate")
    if simulation.saturated is not None:
        return simulation.saturated
    if offered is None or accepted is None:
        return False
    window = measured_cycles(simulation, output)
    cycles = simulation.nodes * max(window, 1)
    latency = output.overall.get("Packet latency")
    created = sum(output.rows.get("plat_hist", ())) * simulation.packet_flits / cycles
    if simulation.waits and latency and math.isfinite(latency.mean):
        # Every packet that was created has been counted: this rate was offered, not nearly.
        offered, flits = created, created * latency.mean * simulation.nodes
        chance = math.sqrt(2 * flits * simulation.packet_flits) / cycles
    else:
        chance = math.sqrt(offered * (1 - offered) * simulation.packet_flits / cycles)
    if offered - accepted.mean > TOLERATED * offered + 3 * chance:
        return True
    drained = (output.cycles or 0) - (output.warmup_cycles or 0) - window
    return simulation.waits and drained > simulation.drain_cycles


def measured_cycles(simulation: Simulation, output: Output) -> int:
    """Length of the window in which rates were counted."""
    return output.measured_periods * int(simulation.configuration.get("sample_period", 0))


def _numbers(simulation: Simulation, output: Output) -> Iterator[Number]:
    listed = simulation.offered_rate is None
    saturated = is_saturated(simulation, output)
    if simulation.offered_rate is not None:
        yield "offered_rate", simulation.offered_rate, "1"
        yield "saturated", float(saturated), "1"
        yield "warmup_cycles", float(output.warmup_cycles or 0), "cycle"
        yield "measured_cycles", float(measured_cycles(simulation, output)), "cycle"
    if listed and output.batch_cycles is not None:
        yield "makespan_cycles", output.batch_cycles, "cycle"
        yield "makespan_s", output.batch_cycles * simulation.cycle_s, "s"
    yield from _rates(output)
    for name, (metric, row) in LATENCIES.items():
        # With sources that always have a packet it grows with the length of the simulation.
        bounded = metric != "packet_latency" or (not saturated and simulation.waits)
        if name in output.overall and bounded:
            yield from _latency(metric, output.overall[name], output.rows.get(row, ()))
    if output.hops is not None:
        # BookSim2 counts the routers.
        yield "hops_mean", round(output.hops - 1, 9), "1"
    if "Fragmentation" in output.overall:
        yield "fragmentation_mean_cycles", output.overall["Fragmentation"].mean, "cycle"
    if "plat_hist" in output.rows:
        yield "packets_measured", float(sum(output.rows["plat_hist"])), "1"
    if output.cycles is not None:
        yield "simulated_cycles", float(output.cycles), "cycle"
    yield "cycle_s", simulation.cycle_s, "s"


def _rates(output: Output) -> Iterator[Number]:
    if injected := output.overall.get("Injected flit rate"):
        yield "injected_rate", injected.mean, "1"
    if accepted := output.overall.get("Accepted flit rate"):
        yield "accepted_rate", accepted.mean, "1"
        yield "accepted_rate_min", accepted.minimum, "1"
        yield "accepted_rate_max", accepted.maximum, "1"


def _latency(metric: str, statistic: Statistic, histogram: Sequence[float]) -> Iterator[Number]:
    yield f"{metric}_mean_cycles", statistic.mean, "cycle"
    yield f"{metric}_min_cycles", statistic.minimum, "cycle"
    yield f"{metric}_max_cycles", statistic.maximum, "cycle"
    for name, fraction in PERCENTILES.items():
        value = percentile(histogram, fraction)
        if value is not None:
            yield f"{metric}_{name}_cycles", value, "cycle"


def percentile(histogram: Sequence[float], fraction: float) -> float | None:
    """Quantile of whole numbers from their counts, interpolated between order statistics.

    The last bin holds everything beyond it; None where the quantile lies there.
    """
    below = list(accumulate(histogram))
    if not below or below[-1] < 1:
        return None
    place = fraction * (below[-1] - 1)
    low = _value_at(below, math.floor(place))
    high = _value_at(below, math.ceil(place))
    if high == len(histogram) - 1:
        return None
    return round(low + (high - low) * (place - math.floor(place)), 6)


def _value_at(below: Sequence[float], rank: int) -> int:
    return next(value for value, count in enumerate(below) if count > rank)

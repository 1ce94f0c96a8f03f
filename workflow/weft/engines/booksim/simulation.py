"""From a point to the simulations that answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from weft.engines.booksim.configuration import Configuration, InexpressibleError, Value
from weft.engines.booksim.network import network_keys
from weft.engines.booksim.periods import period_keys
from weft.engines.booksim.router import channel_keys, router_keys
from weft.engines.booksim.traffic import SEEDS, batch_keys, injection_keys, pattern_keys
from weft.engines.booksim.units import units
from weft.engines.order import ResolvedPoint
from weft.plan.spec import OptionsSpec, WorkloadSpec

#: Cycles without an arrival, with flits under way, after which BookSim2 reports a deadlock.
DEADLOCK_CYCLES = 100_000


@dataclass(frozen=True, slots=True)
class Simulation:
    """One run of BookSim2.

    `offered_rate` is in flits per node and cycle, None for a closed list; `message_bytes` is the
    message of one packet of `packet_flits`, and a cycle takes `cycle_s`.
    """

    configuration: Configuration
    message_bytes: int
    nodes: int
    packet_flits: int
    cycle_s: float
    offered_rate: float | None
    drain_cycles: int
    #: Found by an earlier run; None if this run has to find it.
    saturated: bool | None = None

    @property
    def waits(self) -> bool:
        """Whether the run waits until all measured packets have arrived."""
        return self.configuration["sim_type"] != "throughput"

    def without_waiting(self, saturated: bool | None) -> Simulation:
        """The same, of the packets that arrive in the measurement instead of all created in it."""
        configuration = {**self.configuration, "sim_type": "throughput"}
        return replace(self, configuration=configuration, saturated=saturated)


def simulations(point: ResolvedPoint) -> Iterator[Simulation]:
    """One simulation for each message size of the point.

    Raises InexpressibleError for a point that BookSim2 cannot simulate.
    """
    workload = point["workload"]
    if workload["kind"] not in ("messages", "traffic"):
        raise InexpressibleError(f"BookSim2 runs no workload of kind {workload['kind']}")
    if workload["pattern"] == "file":
        raise InexpressibleError("BookSim2 reads no message lists; allowed are its patterns")
    for message_bytes in workload["message_bytes"] or ():
        yield _simulation(point, message_bytes)


def _simulation(point: ResolvedPoint, message_bytes: int) -> Simulation:
    topology, workload, options = point["topology"], point["workload"], point["options"]
    seed = int(point["seed"])
    found = units(point["network"], options, message_bytes)
    traffic = workload["kind"] == "traffic"
    sending = _open_loop(workload, options, found.packet_flits) if traffic else batch_keys(workload)
    return Simulation(
        configuration={
            **network_keys(topology, options),
            **channel_keys(topology, options, found.hop_latency_cycles),
            **router_keys(options),
            **pattern_keys(workload, topology, seed),
            "packet_size": found.packet_flits,
            **sending,
            "deadlock_warn_timeout": DEADLOCK_CYCLES,
            # To the standard output: histograms, and the rates of nodes.
            "stats_out": "-",
            "seed": seed % SEEDS,
        },
        message_bytes=message_bytes,
        nodes=topology["nodes"],
        packet_flits=found.packet_flits,
        cycle_s=found.cycle_s,
        offered_rate=float(workload["injection_rate"]) if traffic else None,
        drain_cycles=int(options["drain_cycles"]),
    )


def _open_loop(workload: WorkloadSpec, options: OptionsSpec, packet_flits: int) -> dict[str, Value]:
    keys = injection_keys(workload, packet_flits)
    # Sources that are never empty would have to be waited for without end.
    saturated = "injection_rate_uses_flits" not in keys
    return {
        "sim_type": "throughput" if saturated else "latency",
        **keys,
        **period_keys(options),
        "latency_thres": float(options["drain_cycles"]),
    }

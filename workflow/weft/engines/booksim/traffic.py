"""Who sends to whom, and when, in BookSim2's keys."""

from __future__ import annotations

from weft.engines.booksim.configuration import InexpressibleError, Value
from weft.plan.spec import TopologySpec, WorkloadSpec

#: Patterns that have one meaning and two names.
PATTERNS = {
    "uniform": "uniform",
    "transpose": "transpose",
    "tornado": "tornado",
    "tornado_ceil": "tornado",
    "bit_complement": "bitcomp",
    "bit_reverse": "bitrev",
    "shuffle": "shuffle",
    "neighbor": "neighbor",
    "hotspot": "hotspot",
    "random_permutation": "randperm",
}
#: BookSim2's generator takes seeds below this.
SEEDS = 2**30 - 2


def pattern_keys(workload: WorkloadSpec, topology: TopologySpec, seed: int) -> dict[str, Value]:
    """The traffic pattern.

    Raises InexpressibleError for a pattern that BookSim2 lacks or understands differently.
    """
    pattern = workload["pattern"]
    if pattern not in PATTERNS:
        raise InexpressibleError(
            f"BookSim2 has no pattern {pattern}; allowed are {', '.join(PATTERNS)}"
        )
    if topology["kind"] == "flattened_butterfly" and pattern != "uniform":
        raise InexpressibleError(
            f"BookSim2 numbers a flattened butterfly's nodes in another order, so {pattern} would "
            "be another pattern; allowed is uniform"
        )
    if pattern == "uniform" and not workload.get("include_self"):
        raise InexpressibleError("BookSim2's uniform includes the sender; set include_self: true")
    if pattern == "tornado" and topology.get("k", 0) % 2:
        raise InexpressibleError(
            "BookSim2's tornado is tornado_ceil; they are the same for even k only"
        )
    if pattern == "hotspot":
        return {"traffic": _hotspot(workload)}
    keys: dict[str, Value] = {"traffic": PATTERNS[pattern]}
    return keys | ({"perm_seed": seed % SEEDS} if pattern == "random_permutation" else {})


def _hotspot(workload: WorkloadSpec) -> str:
    if workload["hotspot_fraction"] != 1:
        raise InexpressibleError(
            "BookSim2's hotspots draw all messages; hotspot_fraction must be 1, not "
            f"{workload['hotspot_fraction']}"
        )
    nodes = workload["hotspot_nodes"]
    listed = list(range(nodes)) if isinstance(nodes, int) else nodes
    rates = ",".join("1" for _ in listed)
    return f"hotspot({{{','.join(map(str, listed))}}},{{{rates}}})"


def injection_keys(workload: WorkloadSpec, packet_flits: int) -> dict[str, Value]:
    """How packets of `packet_flits` flits are spread over time, for workload kind `traffic`.

    Raises InexpressibleError for a search, and for bursts that its two states cannot make.
    """
    if workload.get("search"):
        raise InexpressibleError("BookSim2 simulates one injection rate; leave out search")
    rate = float(workload["injection_rate"])
    on_off = workload.get("injection_process") == "on_off"
    if rate == 1.0 and not on_off:
        # A packet for each cycle: every source always has one waiting.
        return {"injection_process": "bernoulli", "injection_rate": 1.0}
    keys: dict[str, Value] = {
        "injection_process": "bernoulli",
        "injection_rate": rate,
        "injection_rate_uses_flits": 1,
    }
    return keys | (_bursts(workload, rate, packet_flits) if on_off else {})


def _bursts(workload: WorkloadSpec, rate: float, packet_flits: int) -> dict[str, Value]:
    """A two-state process that tosses a coin in each cycle of a burst, as in BookSim2.

    A burst of b messages at the rate r lasts b/r cycles, so it ends with probability r/b.
    """
    burst = float(workload.get("burst_rate") or 1.0)
    ending = burst / packet_flits / float(workload["burst_messages"])
    if ending * rate > burst - rate:
        raise InexpressibleError(
            f"pauses between bursts would be shorter than a cycle at injection_rate {rate}"
        )
    return {
        "injection_process": "on_off",
        "burst_alpha": -1.0,
        "burst_beta": ending,
        "burst_r1": burst / packet_flits,
    }


def batch_keys(workload: WorkloadSpec) -> dict[str, Value]:
    """A closed list: every node sends `per_node` packets, so many `outstanding` at a time."""
    outstanding = workload["outstanding"]
    return {
        "sim_type": "batch",
        "batch_size": workload["per_node"],
        "batch_count": 1,
        "max_outstanding_requests": 0 if outstanding == "all" else outstanding,
    }

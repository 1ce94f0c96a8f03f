"""The router's options in BookSim2's keys."""

from __future__ import annotations

from weft.engines.booksim.configuration import InexpressibleError, Value
from weft.plan.spec import OptionsSpec, TopologySpec

#: `options.vc_allocator` and `options.switch_allocator` -> BookSim2's name.
ALLOCATORS = {
    "islip": "islip",
    "separable_input_first": "separable_input_first",
    "wavefront": "wavefront",
    "maximum": "max_size",
}
#: The allocator whose arbiters look at ages.
AGE_ALLOCATOR = "separable_input_first"
#: Whole numbers that have one meaning and two names.
_NUMBERS = {
    "vc_buffer_flits": "vc_buf_size",
    "routing_delay_cycles": "routing_delay",
    "vc_allocation_delay_cycles": "vc_alloc_delay",
    "switch_allocation_delay_cycles": "sw_alloc_delay",
    "switch_traversal_delay_cycles": "st_final_delay",
    "credit_delay_cycles": "credit_delay",
    "allocator_iterations": "alloc_iters",
}
_SWITCHES = ("speculative", "wait_for_tail_credit", "hold_switch_for_packet")


def router_keys(options: OptionsSpec) -> dict[str, Value]:
    """The keys of the router.

    Raises InexpressibleError for what BookSim2 stops at or does not have.
    """
    for name in ("vc_allocation_delay_cycles", "switch_allocation_delay_cycles"):
        if options[name] != 1:
            raise InexpressibleError(f"BookSim2 works with {name} 1 only, not {options[name]}")
    allocators = {name: options[name] for name in ("vc_allocator", "switch_allocator")}
    by_age = options["arbiter"] == "age"
    if by_age and set(allocators.values()) != {AGE_ALLOCATOR}:
        raise InexpressibleError(
            f"arbiter age needs {AGE_ALLOCATOR} as both allocators: BookSim2's others do not "
            "compare ages"
        )
    return {
        **{name: options[key] for key, name in _NUMBERS.items()},
        "st_prepare_delay": 0,
        **{name: int(options[name]) for name in _SWITCHES},
        "vc_allocator": ALLOCATORS[allocators["vc_allocator"]],
        "sw_allocator": ALLOCATORS[allocators["switch_allocator"]],
        "arb_type": "round_robin",
        "priority": "age" if by_age else "none",
    }


def channel_keys(
    topology: TopologySpec, options: OptionsSpec, hop_latency_cycles: int | None
) -> dict[str, Value]:
    """The keys of channels: one cycle, or two on the torus.

    `hop_latency_cycles` stands for the option where the network has a latency for each hop.
    """
    cycles = hop_latency_cycles or options["channel_latency_cycles"]
    if cycles == 1:
        return {"use_noc_latency": 0}
    if cycles == 2 and topology["kind"] == "torus":
        return {"use_noc_latency": 1}
    raise InexpressibleError(
        f"BookSim2's channels have a latency of 1 cycle, or 2 on a torus; not {cycles} on this "
        f"{topology['kind']}"
    )

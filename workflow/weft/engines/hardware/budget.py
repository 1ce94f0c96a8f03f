"""How long a measurement takes, as far as its options decide that."""

from __future__ import annotations

from weft.engines.hardware.program import INSISTENCE, LOCATE_JUMPS, OPTIONS
from weft.plan.spec import OptionsSpec, WorkloadSpec

#: Seconds for one start of a program on all of its nodes, in an image.
LAUNCH_S = 10.0
#: How many times as many sizes a program has that looks for jumps between them.
LOCATED = 2


def budgeted_s(options: OptionsSpec, workload: WorkloadSpec, timeout_s: float) -> float:
    """Seconds until a point has ended, if all of it is measured again.

    A program whose fewest repetitions take longer than its budget takes longer than this, as far as
    `timeout_s` allows.
    """
    sizes = len(workload.get("message_bytes") or ()) or 1
    if options.get(LOCATE_JUMPS):
        sizes *= LOCATED
    budget_s = float(options.get("budget_s", OPTIONS["budget_s"][1]))
    launches = 3 if options.get("trace") else 2
    return min(timeout_s, launches * LAUNCH_S + (1 + INSISTENCE) * budget_s * sizes)

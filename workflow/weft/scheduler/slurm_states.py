"""The states of Slurm's jobs, and what each says about the end of a job.

One table of all states and flags of Slurm's documentation
(https://slurm.schedmd.com/job_state_codes.html).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Phase(Enum):
    """How far a job has come."""

    OPEN = "has not ended"
    HELD = "has not ended, and goes on only when somebody does something"
    GOOD = "ended well, as far as Slurm knows: it does not know what ran in the job"
    #: Slurm may put the job back into the queue, under the same number.
    LOST = "ended, unless Slurm queues it again"
    BAD = "ended badly"

    @property
    def ended(self) -> bool:
        """Whether the job has ended, perhaps not for the last time."""
        return self not in (Phase.OPEN, Phase.HELD)


_TABLE = (
    (Phase.OPEN,
     "PENDING CONFIGURING POWER_UP_NODE RUNNING RESIZING SIGNALING STAGE_OUT COMPLETING UPDATE_DB "
     "REQUEUED REQUEUE_FED"),
    (Phase.HELD, "SUSPENDED STOPPED REQUEUE_HOLD RESV_DEL_HOLD SPECIAL_EXIT"),
    (Phase.GOOD, "COMPLETED"),
    (Phase.LOST, "NODE_FAIL PREEMPTED BOOT_FAIL RECONFIG_FAIL"),
    (Phase.BAD,
     "CANCELLED DEADLINE FAILED LAUNCH_FAILED OUT_OF_MEMORY REVOKED TIMEOUT"),
)  # fmt: skip
STATES: Mapping[str, Phase] = {name: phase for phase, names in _TABLE for name in names.split()}
#: What makes such jobs go on.
_ADVICE = {
    "SUSPENDED": "they go on when Slurm or `scontrol resume` resumes them",
    "STOPPED": "they go on after `scancel --signal=CONT`",
}
_RELEASE = "they are held: `scontrol release` releases them"


def phase_of(state: str) -> Phase:
    """How far a job in `state` has come; in one that is not in the table it has not ended."""
    return STATES.get(state, Phase.OPEN)


def holding(state: str) -> str | None:
    """What to do about a job in `state`; None for one that goes on, or has ended."""
    return _ADVICE.get(state, _RELEASE) if phase_of(state) is Phase.HELD else None

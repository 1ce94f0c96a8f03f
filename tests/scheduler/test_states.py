"""Every state of Slurm's documentation has a verdict, which all who look at states share."""

import pytest
from snakemake_executor_plugin_weft_slurm.verdicts import OPEN, Verdict, Verdicts
from weft.scheduler.slurm import JobState, _end
from weft.scheduler.slurm_states import STATES, Phase, holding, phase_of

#: The states and flags of https://slurm.schedmd.com/job_state_codes.html; squeue(1) and sacct(1) of
#: Slurm 22 have no other.
DOCUMENTED = [
    "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
    "PENDING", "PREEMPTED", "RUNNING", "SUSPENDED", "TIMEOUT", "COMPLETING", "CONFIGURING",
    "LAUNCH_FAILED", "POWER_UP_NODE", "RECONFIG_FAIL", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD",
    "RESIZING", "RESV_DEL_HOLD", "REVOKED", "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT", "STOPPED",
    "UPDATE_DB",
]  # fmt: skip
ENDED = {
    "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
    "PREEMPTED", "TIMEOUT", "LAUNCH_FAILED", "RECONFIG_FAIL", "REVOKED",
}  # fmt: skip


def test_the_table_has_each_documented_state_once_and_no_other():
    assert sorted(STATES) == sorted(DOCUMENTED)


@pytest.mark.parametrize("state", [*DOCUMENTED, "UNKNOWN", "A_NEW_ONE"])
def test_the_history_and_the_executor_agree_on_what_has_ended(state):
    """Twice, because an end that Slurm may undo counts when it is reported again."""
    verdicts = Verdicts()
    found = [verdicts.of("7", {"7": JobState(state)}, lambda: None) for _ in range(2)][-1]
    ended = state in ENDED
    assert (_end(state, "node1") is not None, found != OPEN) == (ended, ended)
    assert (found == Verdict()) == (state == "COMPLETED")


@pytest.mark.parametrize("state", DOCUMENTED)
def test_what_somebody_has_to_end_has_an_advice(state):
    held = {"SUSPENDED", "STOPPED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT"}
    assert bool(holding(state)) == (state in held) == (phase_of(state) is Phase.HELD)

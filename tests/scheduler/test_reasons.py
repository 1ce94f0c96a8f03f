"""Every reason of Slurm's documentation has a verdict, and the console says what does not pass."""

from pathlib import Path

import pytest
from weft.scheduler.slurm_reasons import REASONS, Passes, advice, reason_called

#: The names of https://slurm.schedmd.com/job_reason_codes.html (2025) and of squeue(1) in Slurm 22.
DOCUMENTED = Path(__file__).with_name("slurm_reasons.txt").read_text().split()
#: Those with which jobs start in the end though nobody does anything.
PASSING = {
    "None", "Priority", "Resources", "BeginTime", "Dependency", "Licenses", "Cleaning", "Prolog",
    "Reservation", "WaitingForScheduling", "FedJobLock", "JobArrayTaskLimit", "InactiveLimit",
    "BurstBufferResources", "BurstBufferStageIn", "NonZeroExitCode", "OutOfMemory",
}  # fmt: skip


def test_the_table_has_each_documented_reason_once_and_no_other():
    assert sorted(REASONS) == sorted(DOCUMENTED)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_does_not_pass_by_itself_has_an_advice(name):
    reason = reason_called(name)
    assert (reason.passes is Passes.ITSELF) == (name in PASSING)
    assert bool(advice(reason)) == (name not in PASSING)


@pytest.mark.parametrize(
    ("reason", "passes", "key"),
    [
        ("PartitionTimeLimit", Passes.NEVER, "runtime_per_job"),
        ("QOSMaxWallDurationPerJobLimit", Passes.NEVER, "runtime_per_job"),
        ("AssocMaxWallDurationPerJobLimit", Passes.NEVER, "runtime_per_job"),
        ("PartitionNodeLimit", Passes.NEVER, "ranks_per_node"),
        ("PartitionConfig", Passes.NEVER, "set nodes, ranks_per_node or partition"),
        ("QOSMaxMemoryPerJob", Passes.NEVER, "memory_per_job"),
        ("QOSMaxCpuPerJobLimit", Passes.NEVER, "account, qos or ranks"),
        ("AssocMaxCpuMinutesPerJobLimit", Passes.NEVER, "account, qos or ranks"),
        ("QOSMinCpuNotSatisfied", Passes.NEVER, "less than the QOS demands"),
        ("QOSMinNode", Passes.NEVER, "less than the QOS demands"),
        ("AssocGrpCPUMinutesLimit", Passes.SOMEBODY, "budget"),
        ("AssocGrpCPURunMinutesLimit", Passes.SOMEBODY, "when other jobs of the group end"),
        ("AssocGrpCpuLimit", Passes.SOMEBODY, "when other jobs of the group end"),
        ("QOSMaxCpuPerUserLimit", Passes.SOMEBODY, "when other jobs of the group end"),
        ("QOSMaxJobsPerUserLimit", Passes.SOMEBODY, "when other jobs of the group end"),
        ("InvalidQOS", Passes.NEVER, "set account, qos, partition"),
        ("BadConstraints", Passes.NEVER, "constraint"),
        ("ReservationDeleted", Passes.NEVER, "reservation"),
        ("ReqNodeNotAvail, UnavailableNodes:node[1-2]", Passes.SOMEBODY, "drained"),
        ("ReqNodeNotAvail(Unavailable:node1)", Passes.SOMEBODY, "drained"),
        ("(Nodes_required_for_job_are_DOWN,_DRAINED_or_reserved)", Passes.SOMEBODY, "drained"),
        ("JobHeldUser", Passes.SOMEBODY, "scontrol release"),
        ("launch failed requeued held", Passes.SOMEBODY, "scontrol release"),
        ("SomethingNew", Passes.SOMEBODY, "weft does not know this reason"),
    ],
)
def test_what_does_not_pass_names_what_to_change(reason, passes, key):
    found = reason_called(reason)
    assert (found.passes, key in advice(found)) == (passes, True)


@pytest.mark.parametrize("reason", ["", "(null)", "None"])
def test_no_reason_is_none_to_report(reason):
    assert reason_called(reason).passes is Passes.ITSELF

"""Which reasons of Slurm will not pass."""

import pytest
from weft.scheduler.slurm_reasons import advice


@pytest.mark.parametrize(
    ("reason", "key"),
    [
        ("PartitionTimeLimit", "runtime_per_job"),
        ("QOSMaxWallDurationPerJobLimit", "runtime_per_job"),
        ("AssocMaxWallDurationPerJobLimit", "runtime_per_job"),
        ("PartitionNodeLimit", "ranks_per_node"),
        ("QOSMaxMemoryPerJob", "memory_per_job"),
        ("QOSMaxCpuPerJobLimit", "account, qos or ranks"),
        ("QOSMinCpuNotSatisfied", "account, qos or ranks"),
        ("AssocGrpCPUMinutesLimit", "budget"),
        ("AssocGrpCpuLimit", "when other jobs of the group end"),
        ("QOSMaxJobsPerUserLimit", "when other jobs of the group end"),
        ("InvalidQOS", "set account, qos, partition"),
        ("BadConstraints", "constraint"),
        ("ReservationDeleted", "reservation"),
        ("ReqNodeNotAvail, UnavailableNodes:node[1-2]", "drained"),
        ("JobHeldUser", "scontrol release"),
    ],
)
def test_what_does_not_pass_has_an_advice(reason, key):
    assert key in str(advice(reason))


@pytest.mark.parametrize(
    "reason", ["None", "Priority", "Resources", "BeginTime", "Licenses", "Cleaning", "Dependency"]
)
def test_what_passes_by_itself_has_none(reason):
    assert advice(reason) is None

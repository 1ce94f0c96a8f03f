"""The reasons of Slurm for which a job waits, and which of them pass by themselves.

One table of all reasons of Slurm's documentation (https://slurm.schedmd.com/job_reason_codes.html),
those of older manuals of squeue among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Passes(Enum):
    """When a job starts that waits for a reason."""

    ITSELF = "by itself"
    SOMEBODY = "when somebody does something, or when jobs of others end"
    NEVER = "not as long as it requests the same"


@dataclass(frozen=True, slots=True)
class Reason:
    """When a reason passes, and what to do about one that does not pass by itself."""

    passes: Passes
    advice: str = ""


def _somebody(advice: str) -> Reason:
    return Reason(Passes.SOMEBODY, advice)


def _never(advice: str) -> Reason:
    return Reason(Passes.NEVER, advice)


_FILE = "the machine file (configs/machine/)"
_AGAIN = "then press Ctrl-C and run the same command again"

_WAITS = Reason(Passes.ITSELF)
_GROUP = _somebody(
    "account or QOS allow no more at a time, and it starts when other jobs of the group end; "
    f"if there are none, set account, qos or ranks in {_FILE}"
)
_BUDGET = _somebody(f"the budget of the account is used up; set account or qos in {_FILE}")
_HELD = _somebody("they are held: `scontrol release` releases them")
_DOWN = _somebody("the nodes that they need are down, drained or reserved")
_CLOSED = _somebody(f"the partition takes no jobs; ask the site, or set partition in {_FILE}")
_BROKEN = _somebody("Slurm, a file system or the network failed; ask the site")
_UNKNOWN = _somebody("weft does not know this reason; `scontrol show job` says more, or the site")
_TIME = _never(
    f"they request more time than allowed; set runtime_per_job or another partition in {_FILE}"
)
_NODES = _never(
    f"they request more nodes than allowed; set nodes, ranks_per_node or partition in {_FILE}"
)
_PARTITION = _never(
    "they request what the partition does not have, mostly too many nodes; set nodes, "
    f"ranks_per_node or partition in {_FILE}"
)
_MEMORY = _never(
    f"they request more memory than allowed; set memory_per_job or partition in {_FILE}"
)
_SIZE = _never(
    f"they request more than account and QOS allow; set account, qos or ranks in {_FILE}"
)
_LITTLE = _never(f"they request less than the QOS demands; set account, qos or ranks in {_FILE}")
_FIT = _never(
    f"account, QOS and partition do not fit together; set account, qos, partition in {_FILE}"
)
_FEATURES = _never(f"no node has what they request; set constraint or partition in {_FILE}")
_OVER = _never(f"the reservation is over; set reservation in {_FILE}")
_LATE = _never(f"they cannot start before their deadline; set slurm_extra in {_FILE}")
_AT_ONCE = _never(f"they demand to start at once; set slurm_extra in {_FILE}")

_TABLE = (
    (_WAITS,
     "BeginTime BurstBufferResources BurstBufferStageIn Cleaning Dependency FedJobLock "
     "InactiveLimit JobArrayTaskLimit Licenses NonZeroExitCode None OutOfMemory Priority Prolog "
     "Reservation Resources WaitingForScheduling"),
    (_GROUP,
     "AssocGrpBB AssocGrpBBRunMinutes AssocGrpBilling AssocGrpBillingRunMinutes AssocGrpCpuLimit "
     "AssocGrpCPURunMinutesLimit AssocGrpEnergy AssocGrpEnergyRunMinutes AssocGrpGRES "
     "AssocGrpGRESRunMinutes AssocGrpJobsLimit AssocGrpLicense AssocGrpLicenseRunMinutes "
     "AssocGrpMemLimit AssocGrpMemRunMinutes AssocGrpNodeLimit AssocGrpNodeRunMinutes "
     "AssocGrpSubmitJobsLimit AssocGrpUnknown AssocGrpUnknownRunMinutes AssocGrpWallLimit "
     "AssocMaxJobsLimit AssocMaxSubmitJobLimit AssociationJobLimit AssociationResourceLimit "
     "MaxBBPerAccount MaxBillingPerAccount MaxCpuPerAccount MaxEnergyPerAccount "
     "MaxGRESPerAccount MaxJobsPerAccount MaxLicensePerAccount MaxMemoryPerAccount "
     "MaxNodePerAccount MaxSubmitJobsPerAccount MaxUnknownPerAccount QOSGrpBB QOSGrpBBRunMinutes "
     "QOSGrpBilling QOSGrpBillingRunMinutes QOSGrpCpuLimit QOSGrpCPURunMinutesLimit QOSGrpEnergy "
     "QOSGrpEnergyRunMinutes QOSGrpGRES QOSGrpGRESRunMinutes QOSGrpJobsLimit QOSGrpLicense "
     "QOSGrpLicenseRunMinutes QOSGrpMemLimit QOSGrpMemoryRunMinutes QOSGrpNodeLimit "
     "QOSGrpNodeRunMinutes QOSGrpSubmitJobsLimit QOSGrpUnknown QOSGrpUnknownRunMinutes "
     "QOSGrpWallLimit QOSJobLimit QOSMaxBBPerUser QOSMaxBillingPerUser QOSMaxCpuPerUserLimit "
     "QOSMaxEnergyPerUser QOSMaxGRESPerUser QOSMaxJobsPerUserLimit QOSMaxLicensePerUser "
     "QOSMaxMemoryPerUser QOSMaxNodePerUserLimit QOSMaxSubmitJobPerUserLimit "
     "QOSMaxUnknownPerUser QOSResourceLimit"),
    (_BUDGET,
     "AssocGrpBBMinutes AssocGrpBillingMinutes AssocGrpCPUMinutesLimit AssocGrpEnergyMinutes "
     "AssocGrpGRESMinutes AssocGrpLicenseMinutes AssocGrpMemMinutes AssocGrpNodeMinutes "
     "AssocGrpUnknownMinutes AssociationTimeLimit QOSGrpBBMinutes QOSGrpBillingMinutes "
     "QOSGrpCPUMinutesLimit QOSGrpEnergyMinutes QOSGrpGRESMinutes QOSGrpLicenseMinutes "
     "QOSGrpMemoryMinutes QOSGrpNodeMinutes QOSGrpUnknownMinutes QOSTimeLimit"),
    (_HELD,
     "DependencyNeverSatisfied JobHeldAdmin JobHeldUser JobHoldMaxRequeue"),
    (_DOWN,
     "NodeDown ReqNodeNotAvail FrontEndDown"),
    (_CLOSED,
     "PartitionDown PartitionInactive"),
    (_BROKEN,
     "BurstBufferOperation JobLaunchFailure SystemFailure"),
    (_TIME,
     "AssocMaxWallDurationPerJobLimit PartitionTimeLimit QOSMaxWallDurationPerJobLimit TimeLimit"),
    (_NODES,
     "AssocMaxNodePerJobLimit PartitionNodeLimit QOSMaxNodePerJobLimit"),
    (_PARTITION,
     "PartitionConfig"),
    (_MEMORY,
     "AssocMaxMemPerJob AssocMaxMemPerNode MaxMemPerLimit QOSMaxMemoryPerJob QOSMaxMemoryPerNode"),
    (_SIZE,
     "AssocMaxBBMinutesPerJob AssocMaxBBPerJob AssocMaxBBPerNode AssocMaxBillingMinutesPerJob "
     "AssocMaxBillingPerJob AssocMaxBillingPerNode AssocMaxCpuMinutesPerJobLimit "
     "AssocMaxCpuPerJobLimit AssocMaxCpuPerNode AssocMaxEnergyMinutesPerJob AssocMaxEnergyPerJob "
     "AssocMaxEnergyPerNode AssocMaxGRESMinutesPerJob AssocMaxGRESPerJob AssocMaxGRESPerNode "
     "AssocMaxLicenseMinutesPerJob AssocMaxLicensePerJob AssocMaxMemMinutesPerJob "
     "AssocMaxNodeMinutesPerJob AssocMaxUnknownMinutesPerJob AssocMaxUnknownPerJob "
     "AssocMaxUnknownPerNode QOSMaxBBMinutesPerJob QOSMaxBBPerJob QOSMaxBBPerNode "
     "QOSMaxBillingMinutesPerJob QOSMaxBillingPerJob QOSMaxBillingPerNode "
     "QOSMaxCpuMinutesPerJobLimit QOSMaxCpuPerJobLimit QOSMaxCpuPerNode "
     "QOSMaxEnergyMinutesPerJob QOSMaxEnergyPerJob QOSMaxEnergyPerNode QOSMaxGRESMinutesPerJob "
     "QOSMaxGRESPerJob QOSMaxGRESPerNode QOSMaxLicenseMinutesPerJob QOSMaxLicensePerJob "
     "QOSMaxMemoryMinutesPerJob QOSMaxNodeMinutesPerJob QOSMaxUnknownMinutesPerJob "
     "QOSMaxUnknownPerJob QOSMaxUnknownPerNode"),
    (_LITTLE,
     "QOSMinBB QOSMinBilling QOSMinCpuNotSatisfied QOSMinEnergy QOSMinGRES QOSMinLicense "
     "QOSMinMemory QOSMinNode QOSMinUnknown"),
    (_FIT,
     "AccountingPolicy AccountNotAllowed InvalidAccount InvalidQOS QOSNotAllowed "
     "QOSUsageThreshold"),
    (_FEATURES,
     "BadConstraints Constraints"),
    (_OVER,
     "ReservationDeleted"),
    (_LATE,
     "DeadLine"),
    (_AT_ONCE,
     "SchedDefer"),
)  # fmt: skip
REASONS: Mapping[str, Reason] = {name: reason for reason, names in _TABLE for name in names.split()}
#: What the controller writes in place of a reason, as far as the first comma.
_SENTENCES: Mapping[str, Reason] = {
    "launch failed requeued held": _HELD,
    "job requeued in held state": _HELD,
    "Nodes required for job are DOWN": _DOWN,
}


def reason_called(text: str) -> Reason:
    """What is known of a reason as squeue writes it; of one that is not in the table that somebody
    has to be asked, so that no job waits in silence."""
    # `ReqNodeNotAvail, UnavailableNodes:node1`; some versions write brackets.
    name = re.split(r"[,(:]", text.strip("() "))[0].strip()
    if name in ("", "null"):
        return _WAITS
    return REASONS.get(name) or _SENTENCES.get(name.replace("_", " "), _UNKNOWN)


def advice(reason: Reason) -> str:
    """What to do where a job waits for a reason that does not pass by itself."""
    return f"{reason.advice}, {_AGAIN}" if _FILE in reason.advice else reason.advice

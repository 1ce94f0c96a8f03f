"""Reasons of Slurm for which a job waits that will not pass, and what to change."""

from __future__ import annotations

import re

_FILE = "the machine file (configs/machine/)"
_AGAIN = "then press Ctrl-C and run the same command again"
_TIME = f"they request more time than allowed; set runtime_per_job or another partition in {_FILE}"
_NODES = f"they request more nodes than allowed; set ranks, ranks_per_node or partition in {_FILE}"
_MEMORY = f"they request more memory than allowed; set memory_per_job or partition in {_FILE}"
_SIZE = f"they request more than account and QOS allow; set account, qos or ranks in {_FILE}"
#: The first pattern that fits a whole reason counts.
_ADVICE = (
    (r"PartitionTimeLimit|(Assoc|QOS)MaxWall\w*|TimeLimit", _TIME),
    (r"PartitionNodeLimit|(Assoc|QOS)MaxNodePerJob\w*|QOSMinNode\w*", _NODES),
    (r"MaxMemPerLimit|(Assoc|QOS)MaxMem\w*PerJob\w*", _MEMORY),
    (r"(Assoc|QOS)(Max|Min)\w*(PerJob|PerNode|NotSatisfied)\w*", _SIZE),
    (r"Assoc(Grp|Max)\w*Minutes\w*|QOS(Grp|Max)\w*Minutes\w*",
     f"the budget of the account is used up; set account or qos in {_FILE}"),
    (r"AssocGrp\w*|QOSGrp\w*|AssocMaxJobs\w*|QOSMaxJobs\w*",
     f"account or QOS allow no more at a time, and it starts when other jobs of the group end; "
     f"if there are none, set account, qos or ranks in {_FILE}"),
    (r"InvalidQOS|QOSNotAllowed|QOSUsageThreshold|InvalidAccount|AccountNotAllowed|AccountingPolicy",
     f"account, QOS and partition do not fit together; set account, qos, partition in {_FILE}"),
    (r"BadConstraints|Constraints|NodeNotFound",
     f"no node has what they request; set constraint or partition in {_FILE}"),
    (r"Reservation\w*", f"the reservation is over or not theirs; set reservation in {_FILE}"),
    (r"PartitionDown|PartitionInactive",
     f"the partition takes no jobs; ask the site, or set partition in {_FILE}"),
    (r"ReqNodeNotAvail\w*", "the nodes that they need are down, drained or reserved"),
    (r"DependencyNeverSatisfied|JobHeld\w*|launch failed requeued held",
     "they are held: `scontrol release` releases them"),
)  # fmt: skip


def advice(reason: str) -> str | None:
    """What to change where a job waits for `reason`; None for one that passes by itself."""
    for pattern, text in _ADVICE:
        if re.fullmatch(pattern, reason.split(",")[0].strip("() ")):
            return f"{text}, {_AGAIN}" if _FILE in text else text
    return None

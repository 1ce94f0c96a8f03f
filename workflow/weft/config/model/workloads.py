"""All kinds of workloads."""

from __future__ import annotations

from weft.config.model.jobs import Jobs
from weft.config.model.trace import Trace
from weft.config.model.workload import Messages, Program, Traffic, Workload

WORKLOADS: dict[str, type[Workload]] = {
    "messages": Messages,
    "traffic": Traffic,
    "program": Program,
    "trace": Trace,
    "jobs": Jobs,
}

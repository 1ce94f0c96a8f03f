"""Metrics of jobs are called by the programs that the jobs run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from weft.plan.model import Point
from weft.report.data.metrics import Metrics

_OF_JOB = re.compile(r"job(\d+)_")


def with_programs_of_jobs(metrics: Metrics, points: Iterable[Point]) -> Metrics:
    """`Slowdown of job 1 (halo_exchange)`, where job 1 runs the same program at all points."""
    programs: dict[int, set[str]] = {}
    for point in points:
        for number, name in enumerate(_programs(point), 1):
            programs.setdefault(number, set()).add(name)
    named = {n: names.pop() for n, names in programs.items() if len(names) == 1}
    found = Metrics(metrics)
    for name, metric in metrics.items():
        job = _OF_JOB.match(name)
        if job and (program := named.get(int(job[1]))):
            label = re.sub(rf"\bjob {job[1]}\b", f"job {job[1]} ({program})", metric.label)
            found[name] = replace(metric, label=label)
    return found


def _programs(point: Point) -> list[str]:
    workload = point.spec.get("workload")
    jobs = workload.get("jobs") if isinstance(workload, Mapping) else None
    if not isinstance(jobs, Sequence):
        return []
    programs = (job.get("program") if isinstance(job, Mapping) else None for job in jobs)
    return [PurePath(str(program)).stem if program else "" for program in programs]

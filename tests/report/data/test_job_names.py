"""Labels of jobs say which program runs."""

from __future__ import annotations

from report_samples import CONFIGS, point
from weft.report.data.job_names import with_programs_of_jobs
from weft.report.data.metrics import load_metrics


def labels(*jobs: tuple[str, str]) -> list[str]:
    points = [
        point("rdma", {}, {"workload": {"jobs": [{"program": name} for name in pair]}})
        for pair in jobs
    ]
    metrics = with_programs_of_jobs(load_metrics(CONFIGS), points)
    return [metrics[f"job{n}_slowdown"].label for n in (1, 2)]


def test_a_job_that_runs_one_program_is_called_by_it() -> None:
    found = labels(("halo_exchange", "my/alltoall.c"))
    assert found == ["Slowdown of job 1 (halo_exchange)", "Slowdown of job 2 (alltoall)"]


def test_a_job_with_several_programs_keeps_its_number_alone() -> None:
    found = labels(("halo_exchange", "alltoall"), ("halo_exchange", "allreduce"))
    assert found == ["Slowdown of job 1 (halo_exchange)", "Slowdown of job 2"]

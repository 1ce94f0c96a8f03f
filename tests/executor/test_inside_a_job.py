"""Snakemake inside a job of Slurm, as by profiles/slurm/driver.sh."""

import logging
from types import SimpleNamespace

import pytest
from snakemake_executor_plugin_weft_slurm import Executor
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor


def warnings(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the executor warns of as it begins; its threads are left out."""

    def begin(self: Executor, workflow: object, logger: logging.Logger) -> None:
        self.workflow, self.logger = workflow, logger

    monkeypatch.setattr(RemoteExecutor, "__init__", begin)
    limit = SimpleNamespace(max_jobs=100, timespan=10)
    scheduling = SimpleNamespace(max_jobs_per_timespan=limit)
    caplog.clear()
    Executor(SimpleNamespace(scheduling_settings=scheduling), logging.getLogger("tested"))
    return [record.getMessage() for record in caplog.records]


def test_the_warning_of_snakemake_is_followed_by_what_it_means_here(monkeypatch, caplog) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "4711")
    theirs, ours = warnings(monkeypatch, caplog)
    assert "not recommended" in theirs
    assert ours.startswith("weft: ")
    assert "inside job 4711. For weft that is fine" in ours


def test_outside_of_jobs_nothing_is_said(monkeypatch, caplog) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    assert warnings(monkeypatch, caplog) == []

"""Which batch system a process runs in, and which one a machine file means."""

import pytest
from weft.machine import MachineFile
from weft.scheduler import RequestLimits, scheduler_here, scheduler_named

NUMBERS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "COBALT_JOBID", "JOB_ID")


@pytest.fixture(autouse=True)
def _outside(monkeypatch):
    for name in NUMBERS:
        monkeypatch.delenv(name, raising=False)


def test_outside_of_jobs_there_is_this_machine_alone():
    assert (scheduler_here().name, scheduler_here().own_job_id()) == ("this machine", None)


@pytest.mark.parametrize("variable", NUMBERS)
def test_a_job_knows_its_number(monkeypatch, variable):
    monkeypatch.setenv(variable, "17.server")
    assert scheduler_here().own_job_id() == "17.server"
    assert scheduler_here().batch


@pytest.mark.parametrize(
    ("number", "variable", "text"),
    [
        ("PBS_JOBID", "PBS_NODEFILE", "a\na\nb\nb\n"),
        ("JOB_ID", "PE_HOSTFILE", "a 2 main.q@a UNDEFINED\nb 2 main.q@b UNDEFINED\n"),
    ],
)
def test_a_job_knows_its_hosts(monkeypatch, tmp_path, number, variable, text):
    (tmp_path / "hosts").write_text(text)
    monkeypatch.setenv(number, "17")
    monkeypatch.setenv(variable, str(tmp_path / "hosts"))
    assert scheduler_here().hosts() == ("a", "b")


@pytest.mark.parametrize(
    ("machine", "name", "batch"),
    [
        ({}, "none", False),
        ({"launcher": "mpiexec"}, "none", False),
        ({"launcher": "/opt/slurm/bin/srun"}, "slurm", True),
        ({"launcher": "mpiexec", "scheduler": "slurm"}, "slurm", True),
        ({"launcher": "aprun", "scheduler": "other"}, "other", True),
    ],
)
def test_the_machine_file_says_who_starts_jobs(machine, name, batch):
    assert MachineFile.read(machine).batch_system == name
    assert scheduler_named(name).batch is batch


def test_nobody_is_asked_about_other_batch_systems():
    other = scheduler_named("other")
    assert (other.limits("x"), other.end_of("1"), other.hosts()) == (RequestLimits(), None, ())

"""A cluster whose only partition ends jobs after 50 minutes, without accounting."""

import pytest

from tests.cluster.conftest import NATIVE, OFTEN, Cluster, Project
from tests.patience import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

SMALL = """
title: Short
question: Does it run where two hours are too long?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {shard_points: 10}}
topology: {dimensions: 2, k: 4}
replicates: 10
"""


@pytest.fixture(scope="module")
def short(cluster, tmp_path_factory):
    """A second cluster, beside the first."""
    found = Cluster(tmp_path_factory.mktemp("short") / "state")
    found("up", "--nodes", "1", "--cpus", "8", "--memory", "8000", "--configure", "MaxTime=50")
    yield found
    found("down")


@pytest.fixture
def project(short, tmp_path):
    found = Project(tmp_path / "project", short)
    found.write("short", SMALL)
    yield found
    short("run", "scancel", "--user=root")


COMMAND = ("results/short/collected.json", *NATIVE, *OFTEN)


def test_a_first_run_ends_and_so_does_a_driver(project, short):
    driver = ("sbatch", "--parsable", "profiles/slurm/driver.sh", *COMMAND)
    number = project.finish(project.start(*driver)).strip()
    ended = "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"

    def state():
        return next(job["state"] for job in short.jobs() if job["id"] == number)

    wait_until(lambda: state() in ended, "the driver")
    assert state() == "COMPLETED", (project.folder / f"results/driver-{number}.log").read_text()
    assert len(set(project.computed("short"))) == 10


def test_a_job_that_cannot_start_is_reported_and_its_cancellation_noticed(project, short):
    too_long = ("--set-resources", "simulate:runtime=120", "--retries", "0")
    snakemake = project.snakemake(*COMMAND, *too_long)

    def waiting():
        return [job["id"] for job in short.jobs("pending") if job["reason"] == "PartitionTimeLimit"]

    wait_until(waiting, "a job that waits")
    said = next(line for line in snakemake.stdout if "Slurm will not start job" in line)
    assert "runtime_per_job" in said
    short("run", "scancel", *waiting())
    output, _ = snakemake.communicate(timeout=PATIENCE_S)
    assert snakemake.returncode != 0
    assert "ended as CANCELLED" in output


def test_a_controller_that_is_away_before_the_first_question_loses_no_job(project, short):
    first, rest = "--weft-slurm-init-seconds-before-status-checks", COMMAND
    patience = ("--weft-slurm-silence-seconds", "0")
    snakemake = project.snakemake(*rest, first, "5", *patience)
    next(line for line in snakemake.stdout if "has been submitted" in line)
    short("restart-controller", "20")
    output = project.finish(snakemake)
    assert "Slurm has not answered" in output
    assert "Slurm answers again" in output
    assert len(set(project.computed("short"))) == 10

"""A worker of the service whose tasks are Slurm jobs: one is done, one is stopped with its jobs."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.cluster.conftest import Cluster, Project, cluster, interrupt, project
from tests.patience import PATIENCE_S, wait_until
from tests.service.conftest import OPEN, SMALL, Site
from tests.service.test_kills import simulators

__all__ = ["cluster", "project"]
pytestmark = [pytest.mark.slow, pytest.mark.long("service_on_slurm")]
#: Beside the profile slurm: no images, and Slurm is asked often.
PROFILE = """\
sdm: env-modules
weft-slurm-init-seconds-before-status-checks: 2
weft-slurm-most-seconds-between-status-checks: 2
"""
LONG = SMALL.replace("[4, 5]", str(list(range(60, 100)))) + "replicates: 40\n"
SUBMIT = """
from weft.service.accounts.models import Person
from weft.service.tasks.submit import submit
owner, _ = Person.objects.get_or_create(email="ann@example.org")
print(submit(owner, {text!r}, {{}}, None, 3000, "small").name)
"""
STOP = """
from weft.service.queue.leases import cancel_or_stop
from weft.service.tasks.models import Task
cancel_or_stop(Task.objects.order_by("pk").last())
"""
#: A worker that waits for a stopped run until the test lets it go on, however busy the machine is.
PATIENT = f"""
from weft.service.worker import main, process
process._GRACE_S = {PATIENCE_S}
main.main()
"""


@pytest.fixture
def served(project: Project, tmp_path: Path) -> Iterator[Site]:
    """Server and worker on the login node; the test reads their tables, which lie on its disk."""
    (project.folder / "profiles" / "often").mkdir()
    (project.folder / "profiles" / "often" / "config.yaml").write_text(PROFILE)
    more = {"PYTHONPATH": project.environment["PYTHONPATH"], "WEFT_SERVICE_LEASE_S": "600"}
    site = Site(tmp_path, more=more)
    site.manage("migrate", "--verbosity", "0")
    token = site.manage("add_worker", "one")
    # The copy's own simulators.
    environment = {k: v for k, v in site.environment.items() if k != "WEFT_FLOW"}
    module = [sys.executable, "-m"]
    server = ["gunicorn", "--bind", f"127.0.0.1:{site.port}", "--no-control-socket"]
    project.start(*module, *server, "weft.service.wsgi", **environment)
    worker = ["--server", site.address, "--token", token, "--folder", str(tmp_path / "worker"),
              "--profile", "slurm", "--profile", "often"]  # fmt: skip
    process = project.start(sys.executable, "-c", PATIENT, *worker, **environment)
    yield site
    interrupt(process, 15)
    process.communicate(timeout=PATIENCE_S)


def unfinished(cluster: Cluster) -> list[dict[str, str]]:
    return cluster.jobs("pending,running,completing")


def run_of(folder: Path) -> psutil.Process:
    """Snakemake, which the worker has forked; jobs work in the same folder."""
    (found,) = (
        process
        for process in simulators(folder)
        if os.getsid(process.pid) == process.pid
        and any("multiprocessing.forkserver" in word for word in process.cmdline())
    )
    return found


def test_tasks_are_jobs_and_stop_with_them(served: Site, cluster: Cluster) -> None:
    earlier = {job["id"] for job in cluster.jobs()}
    name = served.python(SUBMIT.format(text=SMALL))
    wait_until(lambda: served.task() not in OPEN, "the end of the first task")
    assert served.task() == "done", served.task("log_tail")
    assert (served.folder / "state" / "results" / name / "result.zip").is_file()
    jobs = [job for job in cluster.jobs() if job["id"] not in earlier]
    assert jobs
    assert {job["state"] for job in jobs} == {"COMPLETED"}

    served.python(SUBMIT.format(text=LONG))
    wait_until(lambda: int(served.task("points_ended")) > 0, "a point of the second task")
    assert unfinished(cluster)
    run = run_of(served.folder / "worker" / "tasks")
    # It takes its time, and the jobs do not wait for that.
    run.suspend()
    served.python(STOP)
    wait_until(lambda: not unfinished(cluster), "the end of the second task's jobs")
    assert run.status() == psutil.STATUS_STOPPED
    run.resume()
    wait_until(lambda: served.task() not in OPEN, "the end of the second task")
    assert served.task() == "stopped"
    assert "its owner stopped it" in served.task("reason")
    assert int(served.task("points_ended")) > 0
    assert not unfinished(cluster)

"""Server and worker are killed in every state: nothing is lost, nothing is there twice."""

import io
import json
import os
import signal
import subprocess
import zipfile
from pathlib import Path

import psutil
import pyarrow.parquet as pq
import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import OPEN, SMALL, Browser, Site, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
#: Takes a while to simulate.
POINTS = 30
LONG = SMALL.replace("[4, 5]", str(list(range(60, 60 + POINTS))))


def kill(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=PATIENCE_S)


def journals(folder: Path) -> list[Path]:
    return list(folder.rglob("journal.jsonl"))


def overdue(site: Site) -> None:
    site.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.tasks.models import Task\n"
        "Task.objects.update(leased_until=timezone.now() - datetime.timedelta(seconds=1))"
    )


def taken(ann: Browser, page: str) -> tuple[int, int]:
    """Points in a task's archive."""
    return packed_points(ann.get(page + "archive.zip").content)


def packed_points(content: bytes) -> tuple[int, int]:
    """Points with rows in an archive, and lines of its journals there."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        runs = [name for name in names if name.endswith("/runs.parquet")]
        rows = sum(pq.read_table(io.BytesIO(archive.read(name))).num_rows for name in runs)
        kept = [name for name in names if name.endswith("/journal.jsonl")]
        lines = b"".join(map(archive.read, kept)).splitlines()
    return rows, len({json.loads(line)["point_id"] for line in lines})


def simulators(folder: Path) -> list[psutil.Process]:
    """Processes that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd().startswith(str(folder)):
                found.append(process)
        except psutil.Error:
            continue
    return found


def simulating(folder: Path) -> list[psutil.Process]:
    """Those of them that are simulators; none ends its work while one looks."""
    return [each for each in simulators(folder) if each.name().startswith("weft-")]


def test_a_server_killed_while_a_task_runs_gets_its_result(site: Site) -> None:
    site.account("ann@example.org")
    server = site.start_server()
    ann = Browser(site.address)
    ann.log_in("ann@example.org")
    page = ann.submit().url
    kill(server)
    server = site.start_server()
    assert site.task() == "queued"
    site.start_worker()
    wait_for(lambda: site.task() == "running")
    kill(server)
    wait_for(lambda: not site._answers())
    site.start_server()
    wait_for(lambda: site.task() not in OPEN)
    assert site.task() == "done"
    assert site.task("attempts") == "1"
    assert ann.get(page + "archive.zip").status == 200


def test_a_killed_worker_leaves_no_run_behind_and_goes_on_where_its_journal_ends(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit(LONG).url
    worker = shared.start_worker()
    wait_for(lambda: any(path.stat().st_size for path in journals(shared.folder)))
    # The process alone: what watches over its run is in the same group.
    worker.kill()
    worker.wait(timeout=PATIENCE_S)
    assert shared.task() == "running"
    wait_for(lambda: not simulators(shared.folder / "one"))
    before = {path.parent.name: path.read_bytes() for path in journals(shared.folder)}
    assert 0 < sum(text.count(b"\n") for text in before.values()) < POINTS
    overdue(shared)
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done"
    assert shared.task("attempts") == "2"
    assert shared.task("points_ended") == str(POINTS)
    # What was there stays: none of it is computed again.
    archive = zipfile.ZipFile(io.BytesIO(ann.get(page + "archive.zip").content))
    for shard, text in before.items():
        (packed,) = (each for each in archive.namelist() if each.endswith(f"{shard}/journal.jsonl"))
        assert archive.read(packed).startswith(text[: text.rfind(b"\n") + 1])


def test_a_stopped_task_ends_all_of_its_processes_and_packs_what_was_finished(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit(LONG).url
    shared.start_worker()
    wait_for(lambda: any(path.stat().st_size for path in journals(shared.folder)))
    assert "Stop" in ann.get(page).text
    ann.post(page + "stop", at=page)
    # The page says so as soon as nothing of it runs; what was finished is packed after that.
    wait_for(lambda: shared.task() != "running", pause_s=0.05)
    assert shared.task() == "packing"
    assert not simulating(shared.folder / "one" / "tasks")
    assert ann.get(page + "archive.zip").status == 404
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "stopped"
    ended = int(shared.task("points_ended"))
    assert 0 < ended < POINTS
    assert taken(ann, page) == (ended, ended)
    assert f"{ended} of {POINTS}" in ann.get(page).text
    assert f"{POINTS - ended} missing" in ann.get(page + "report").text
    assert not simulators(shared.folder / "one" / "tasks")
    shown = ann.get(page).text
    assert "its owner stopped it" in shown
    assert "Interrupted" in shown
    assert ann.get(page + "archive.zip").status == 200


def test_a_task_that_is_stopped_while_it_is_planned_was_stopped(shared: Site, ann: Browser) -> None:
    page = ann.submit(LONG).url
    # As if somebody stopped it on its way to the worker, which hears of it at the first report.
    shared.python(
        "from weft.service.tasks.models import Task\nTask.objects.update(stop_requested=True)"
    )
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "stopped", ann.get(page).text
    assert shared.task("points_ended") == "0"


def test_a_task_ends_at_its_time_out(shared: Site, ann: Browser) -> None:
    page = ann.submit(LONG, timeout_s=5).url
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "stopped"
    ended = int(shared.task("points_ended"))
    assert taken(ann, page) == (ended, ended)
    assert "the time-out of 5 s was reached" in ann.get(page).text

"""Clocks that differ by an hour, and disks that are full, on the server and on a worker."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import SMALL, Browser, Site, logged_in, wait_for
from tests.service.test_kills import OPEN

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
#: Stands before the C library: the wall clock of a process is `CLOCK_AHEAD_S` ahead.
CLOCK = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead(void)
{
    const char *said = getenv("CLOCK_AHEAD_S");
    return said ? atol(said) : 0;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    int code = syscall(SYS_clock_gettime, which, now);
    if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) now->tv_sec += ahead();
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    int code = syscall(SYS_gettimeofday, now, zone);
    now->tv_sec += ahead();
    return code;
}

time_t time(time_t *to)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
"""
LONG = SMALL.replace("[4, 5]", str(list(range(60, 90))))


@pytest.mark.parametrize("ahead_s", [3600, -3600])
def test_clocks_of_server_and_worker_differ_by_an_hour(
    ahead_s: int, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "clock.c").write_text(CLOCK)
    shim = str(tmp_path / "clock.so")
    command = ["cc", "-shared", "-fPIC", "-O1", "-o", shim, str(tmp_path / "clock.c")]
    subprocess.run(command, check=True, timeout=PATIENCE_S)
    site.start_server(LD_PRELOAD=shim, CLOCK_AHEAD_S=str(ahead_s))
    ann = logged_in(site)
    page = ann.submit().url
    site.start_worker()
    wait_for(lambda: site.task() not in OPEN)
    assert site.task() == "done", ann.get(page).text
    assert site.task("attempts") == "1"
    took = (
        "from weft.service.tasks.models import Task\nfrom django.utils import timezone\n"
        "t = Task.objects.get()\nassert t.submitted_at <= t.started_at <= t.ended_at\n"
        "print((t.ended_at - timezone.now()).total_seconds())"
    )
    # The server's clock is another one indeed.
    assert abs(float(site.python(took)) - ahead_s) < PATIENCE_S


@pytest.fixture
def small_disk() -> Iterator[Callable[[Path, str], None]]:
    """Mounts a tmpfs of a size over a folder that is empty, or not there yet."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a tmpfs")
    mounted: list[Path] = []

    def mount(folder: Path, size: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"no tmpfs: {done.stderr.strip()}")
        mounted.append(folder)

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=PATIENCE_S)


SmallDisk = Callable[[Path, str], None]


@pytest.fixture
def filled_site(tmp_path: Path, small_disk: SmallDisk) -> Iterator[Site]:
    """A server whose state lies on a disk of its own; a lease is longer than any test."""
    small_disk(tmp_path / "state", "24m")
    found = Site(tmp_path, more={"WEFT_SERVICE_LEASE_S": "3600"})
    found.manage("migrate", "--verbosity", "0")
    yield found
    found.end()


def fill(folder: Path) -> Path:
    """Take all the room that is left."""
    path = folder / "filler"
    with path.open("wb", buffering=0) as file:
        for block in (1 << 20, 1 << 12):
            try:
                while True:
                    file.write(b"x" * block)
            except OSError:
                continue
    return path


def test_a_full_disk_of_the_server_loses_nothing(filled_site: Site) -> None:
    site = filled_site
    site.start_server()
    ann = logged_in(site)
    page = ann.submit(LONG).url
    token = site.token("one")
    filler = fill(site.folder / "state")
    # Nobody else gets in now, and the page says why; who is there already reads on.
    answer = ann.submit(LONG)
    assert answer.status == 503
    assert "the disk of this server does not answer" in answer.text
    assert "waits in the queue" in ann.get(page).text
    site.start_worker_with(token)
    log = site.folder / "one.log"
    wait_for(lambda: "does not answer: 50" in log.read_text())
    filler.unlink()
    wait_for(lambda: site.task() == "running")
    filler = fill(site.folder / "state")
    # The run goes on and ends; only then its result is not taken.
    wait_for(lambda: list((site.folder / "one" / "tasks").glob("*/archives/small.zip")))
    assert site.task() == "running"
    filler.unlink()
    wait_for(lambda: site.task() not in OPEN)
    assert site.task() == "done", ann.get(page).text
    assert site.task("attempts") == "1"
    assert ann.get(page + "archive.zip").content.startswith(b"PK")
    count = "from weft.service.tasks.models import Task\nprint(Task.objects.count())"
    assert site.python(count) == "1"


def test_a_worker_without_room_takes_no_task_and_another_does(
    shared: Site, ann: Browser, small_disk: SmallDisk
) -> None:
    small_disk(shared.folder / "full", "20m")
    ann.submit()
    shared.start_worker("full")
    log = shared.folder / "full.log"
    wait_for(lambda: "less than 200 MB are free" in log.read_text())
    assert shared.task() == "queued"
    shared.start_worker("other")
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done"
    # Said once, and not at each look.
    assert log.read_text().count("less than") == 1


@pytest.mark.parametrize("size", ["16k", "400k"], ids=["no room for its files", "for no result"])
def test_a_task_that_fills_its_workers_disk_fails_with_that(
    size: str, shared: Site, ann: Browser, small_disk: SmallDisk
) -> None:
    small_disk(shared.folder / "full", size)
    page = ann.submit().url
    worker = shared.start_worker("full", "--free-mb", "0")
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "failed"
    assert "the worker&#x27;s disk" in ann.get(page).text
    assert shared.task("attempts") == "1"
    # The worker is there for the next one, and nothing of this one takes its room.
    assert worker.poll() is None
    wait_for(lambda: not list((shared.folder / "full" / "tasks").glob("*")))

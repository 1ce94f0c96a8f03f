"""What a worker leaves on its disk of tasks that it no longer has."""

import os
from pathlib import Path

import pytest
from weft.service.worker.room import remove_left

from tests.service.conftest import Browser, Site, wait_for
from tests.service.test_kills import LONG, journals

DAY_S = 24 * 3600


def test_folders_that_nobody_needs_go_and_others_stay_for_a_week(tmp_path: Path) -> None:
    for name, age_s in (("taken", 0), ("killed", DAY_S), ("old", 8 * DAY_S)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "task.log").touch()
        at = (tmp_path / name).stat().st_mtime - age_s
        os.utime(tmp_path / name, (at, at))
    remove_left(tmp_path, [tmp_path / "taken"])
    assert [path.name for path in tmp_path.iterdir()] == ["killed"]


@pytest.mark.slow
@pytest.mark.long("service")
def test_the_folder_of_a_task_that_the_server_took_back_goes(shared: Site, ann: Browser) -> None:
    ann.submit(LONG)
    shared.start_worker()
    wait_for(lambda: any(path.stat().st_size for path in journals(shared.folder)))
    (folder,) = (shared.folder / "one" / "tasks").iterdir()
    shared.python("from weft.service.tasks.models import Task\nTask.objects.all().delete()")
    wait_for(lambda: not folder.exists())


@pytest.mark.slow
@pytest.mark.long("service")
def test_a_worker_whose_disk_is_full_of_what_it_left_makes_room(shared: Site) -> None:
    left = shared.folder / "one" / "tasks" / "left"
    left.mkdir(parents=True)
    shared.start_worker("one", "--free-mb", str(1 << 40))
    wait_for(lambda: not left.exists())

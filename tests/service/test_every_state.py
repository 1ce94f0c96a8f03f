"""Server, database and worker are killed in each state: nothing is lost, nothing is there twice."""

import io
import json
import urllib.error
import zipfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import OPEN, Browser, Site, logged_in, wait_for
from tests.service.postgres import Postgres
from tests.service.test_kills import kill, overdue, simulators
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
COUNT = "from weft.service.tasks.models import Task\nprint(Task.objects.count())"


def packed() -> bytes:
    """The least that a server takes for a result."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("reports/small.html", "<p>a page</p>")
    return file.getvalue()


def insisting(call: Callable[[], tuple[int, str]]) -> tuple[int, str]:
    """An answer, as soon as somebody gives one."""
    answers: list[tuple[int, str]] = []

    def answered() -> bool:
        try:
            answers.append(call())
        except (urllib.error.URLError, OSError):
            return False
        return answers[-1][0] not in (500, 502, 503)

    wait_for(answered)
    return answers[-1]


def walk_through(site: Site, kill_one: Callable[[], None]) -> None:
    """All states of one task; before each step something is killed and started again."""
    ann = logged_in(site)
    page = ann.submit().url
    worker = Calls(site, "one")
    kill_one()
    status, text = insisting(lambda: worker.call("claim"))
    assert status == 200
    offer = json.loads(text)
    task, lease = f"tasks/{offer['task']}", {"lease": offer["lease"]}
    assert site.task() == "claimed"
    kill_one()
    assert insisting(lambda: worker.call(f"{task}/accept", lease))[0] == 204
    # An answer that was lost is asked for again.
    kill_one()
    assert insisting(lambda: worker.call(f"{task}/accept", lease))[0] == 204
    told = {**lease, "points": 2, "ended": 1, "log_tail": "a line"}
    assert insisting(lambda: worker.call(f"{task}/heartbeat", told))[1] == '{"order":"go on"}'
    kill_one()
    assert site.task("points_ended") == "1"
    result, held = packed(), {"method": "PUT", "X_Weft_Lease": offer["lease"]}
    first = insisting(lambda: worker.call(f"{task}/result/0", result[:50], **held))
    kill_one()
    assert first[1] == '{"received":50}'
    asked = insisting(lambda: worker.call(f"{task}/result/0", b"", **held))
    assert asked[1] == '{"received":50}'
    rest = insisting(lambda: worker.call(f"{task}/result/50", result[50:], **held))
    assert rest[1] == f'{{"received":{len(result)}}}'
    kill_one()
    outcome = {
        **told,
        "outcome": "done",
        "result_bytes": len(result),
        "result_sha256": sha256(result).hexdigest(),
    }
    assert insisting(lambda: worker.call(f"{task}/finish", outcome)) == (200, '{"ended": true}')
    kill_one()
    assert insisting(lambda: worker.call(f"{task}/finish", outcome)) == (200, '{"ended": false}')
    assert insisting(lambda: worker.call("claim"))[0] == 204
    assert site.task() == "done"
    assert site.task("attempts") == "1"
    assert site.python(COUNT) == "1"
    assert ann.get(page + "archive.zip").content == result
    # One mail, which this server prints.
    assert (site.folder / "server.log").read_text().count("Subject: weft: 'Small' is done") == 1


def of_server(site: Site) -> Callable[[], None]:
    """Kill the server that runs, and start the next one."""
    running = [site.start_server()]

    def kill_one() -> None:
        kill(running.pop())
        running.append(site.start_server())

    return kill_one


def test_a_server_with_its_database_in_sqlite_is_killed(site: Site) -> None:
    walk_through(site, of_server(site))


def test_a_server_on_postgresql_is_killed(on_postgresql: Site) -> None:
    walk_through(on_postgresql, of_server(on_postgresql))


def test_postgresql_is_killed(on_postgresql: Site, postgresql: Postgres) -> None:
    on_postgresql.start_server()

    def kill_one() -> None:
        postgresql.kill()
        # Somebody looks meanwhile: the page says what is wrong, and that nothing is lost.
        answer = Browser(on_postgresql.address).get("/accounts/log-in")
        if answer.status != 200:
            assert answer.status == 503
            assert "does not answer now" in answer.text
        postgresql.start()

    walk_through(on_postgresql, kill_one)


#: What a task leaves first in its folder on the way to its result, and which attempt that is.
MOMENTS = {"configs/experiment/small.yaml": "1", "results/small/plan.*": "2",
           "reports/small.html": "2"}  # fmt: skip
FIRST_ATTEMPT = """
from weft.service.tasks.models import Task
Task.objects.update(attempts=1)
"""


def test_a_worker_is_killed_at_its_project_at_its_plan_and_at_its_report(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit().url
    tasks = shared.folder / "one" / "tasks"
    for left_first, attempt in MOMENTS.items():
        worker = shared.start_worker()
        wait_for(partial(left, tasks, f"*/{left_first}"), pause_s=0.002)
        worker.kill()
        worker.wait(timeout=PATIENCE_S)
        assert shared.task() in OPEN[1:]
        wait_for(lambda: not simulators(shared.folder / "one"))
        assert shared.task("attempts") == attempt
        # A third kill would be the last.
        shared.python(FIRST_ATTEMPT)
        overdue(shared)
    shared.start_worker()
    wait_for(lambda: shared.task() not in OPEN)
    assert shared.task() == "done", ann.get(page).text
    assert shared.task("attempts") == "2"
    assert shared.task("points_ended") == "2"
    names = zipfile.ZipFile(io.BytesIO(ann.get(page + "archive.zip").content)).namelist()
    assert len(names) == len(set(names))
    wait_for(lambda: not left(tasks))


def left(tasks: Path, pattern: str = "*") -> list[Path]:
    """Folders of tasks, or files in them; a finished task leaves none."""
    return list(tasks.glob(pattern))

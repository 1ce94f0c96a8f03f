"""Claims, leases and fairness, as workers see them."""

import json
import shutil
import urllib.error
import urllib.request

import pytest
import weft

from tests.patience import PATIENCE_S
from tests.service.conftest import ROOT, Browser, Site, free_port

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
WEFT = ROOT / "workflow" / "weft"


class Calls:
    """A worker's calls, one by one."""

    def __init__(self, site: Site, name: str, version: str = weft.__version__) -> None:
        self.token, self.site, self.version = site.token(name), site, version

    def call(
        self, path: str, body: object = None, method: str = "POST", **more: str
    ) -> tuple[int, str]:
        content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"{self.site.address}/api/{path}", content, method=method)
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("X-Weft-Version", self.version)
        for key, value in more.items():
            request.add_header(key.replace("_", "-"), value)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def claim(self) -> tuple[str, str]:
        status, text = self.call("claim")
        assert status == 200, text
        offer = json.loads(text)
        return offer["task"], offer["lease"]


def test_two_workers_get_two_tasks_and_a_third_gets_none(shared: Site, ann: Browser) -> None:
    ann.submit()
    ann.submit()
    workers = [Calls(shared, name) for name in ("one", "two", "three")]
    assert workers[0].claim()[0] != workers[1].claim()[0]
    assert workers[2].call("claim")[0] == 204


def test_whoever_has_waited_longest_comes_first(shared: Site, ann: Browser) -> None:
    for _ in range(3):
        ann.submit()
    shared.account("ben@example.org")
    ben = Browser(shared.address)
    ben.log_in("ben@example.org")
    ben.submit(name="of_ben")
    worker = Calls(shared, "one")
    offers = [json.loads(worker.call("claim")[1])["experiment"] for _ in range(4)]
    assert offers == ["small", "of_ben", "small", "small"]


def test_a_lease_that_has_run_out_changes_nothing_and_after_three_attempts_the_task_fails(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    worker = Calls(shared, "one")
    overdue = (
        "from weft.service.tasks.models import Task\nfrom django.utils import timezone\n"
        "Task.objects.update(leased_until=timezone.now() - timezone.timedelta(seconds=1))"
    ).replace("timezone.timedelta", "__import__('datetime').timedelta")
    leases = []
    for _ in range(3):
        leases.append(worker.claim())
        shared.python(overdue)
    task, first = leases[0]
    assert worker.call(f"tasks/{task}/accept", {"lease": first})[0] == 410
    assert worker.call(f"tasks/{task}/finish", {"lease": first, "outcome": "done"})[0] == 410
    assert worker.call("claim")[0] == 204
    assert shared.task() == "failed"
    assert "fell silent" in shared.task("reason")


def test_a_mail_server_that_is_away_keeps_no_worker_from_its_tasks(site: Site) -> None:
    site.more |= {
        "WEFT_SERVICE_MAIL_HOST": "127.0.0.1",
        "WEFT_SERVICE_MAIL_PORT": str(free_port()),
        "WEFT_SERVICE_ADMINS": "root@example.org",
    }
    site.account("ann@example.org")
    site.start_server()
    ann = Browser(site.address)
    ann.log_in("ann@example.org")
    ann.submit()
    worker = Calls(site, "one")
    task, _ = worker.claim()
    site.python(
        "from weft.service.tasks.models import Task\n"
        "import datetime\nfrom django.utils import timezone\n"
        "Task.objects.update(leased_until=timezone.now() - datetime.timedelta(hours=1))"
    )
    assert worker.claim()[0] == task


def test_a_task_is_finished_once_however_often_its_worker_says_so(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    assert worker.call(f"tasks/{task}/accept", {"lease": lease})[0] == 204
    told = {"lease": lease, "outcome": "failed", "reason": "it did"}
    assert worker.call(f"tasks/{task}/finish", told) == (200, '{"ended": true}')
    assert worker.call(f"tasks/{task}/finish", told) == (200, '{"ended": false}')
    other = Calls(shared, "two")
    assert other.call(f"tasks/{task}/finish", told)[0] == 410


def test_a_worker_of_another_version_is_asked_to_upgrade_and_the_task_waits_for_others(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    status, text = Calls(shared, "old", "0.0.1").call("claim")
    assert status == 426
    assert "upgrade" in text
    # A worker that is of this version indeed ends with the words of the server.
    clone, token = shared.folder / "clone", shared.token("older")
    older = shutil.copytree(WEFT, clone / "workflow" / "weft") / "__init__.py"
    older.write_text(older.read_text().replace(f'"{weft.__version__}"', '"0.0.1"'))
    for name in ("configs", "simulators"):
        (clone / name).symlink_to(ROOT / name)
    shared.more["PYTHONPATH"] = str(clone / "workflow")
    worker = shared.start_worker_with(token, "older")
    del shared.more["PYTHONPATH"]
    assert worker.wait(timeout=PATIENCE_S) == 1
    assert text.strip() in (shared.folder / "older.log").read_text()
    assert shared.task() == "queued"
    assert Calls(shared, "new").claim()


def test_a_result_resumes_where_it_broke_off_and_a_wrong_one_is_refused(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    piece = {"method": "PUT", "X_Weft_Lease": lease}
    assert worker.call(f"tasks/{task}/result/0", b"abc", **piece)[1] == '{"received":3}'
    assert worker.call(f"tasks/{task}/result/0", b"abc", **piece)[1] == '{"received":3}'
    assert worker.call(f"tasks/{task}/result/3", b"de", **piece)[1] == '{"received":5}'
    told = {"lease": lease, "outcome": "done", "result_bytes": 5, "result_sha256": "0" * 64}
    status, text = worker.call(f"tasks/{task}/finish", told)
    assert status == 409
    assert "does not match its checksum" in text
    assert worker.call(f"tasks/{task}/result/0", b"abc", **piece)[1] == '{"received":3}'


@pytest.mark.parametrize("points", [-1, 1 << 70])
def test_a_number_of_points_that_no_database_holds_is_refused(
    points: int, shared: Site, ann: Browser
) -> None:
    ann.submit()
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    told = {"lease": lease, "points": points}
    assert worker.call(f"tasks/{task}/heartbeat", told)[0] == 400
    ended = {**told, "points": 0, "outcome": "done", "result_bytes": points}
    assert worker.call(f"tasks/{task}/finish", ended)[0] == (400 if points < 0 else 409)


def test_a_revoked_token_opens_nothing(shared: Site, ann: Browser) -> None:
    worker = Calls(shared, "one")
    assert worker.call("claim")[0] == 204
    shared.python(
        "from weft.service.queue.models import Worker\nWorker.objects.update(revoked=True)"
    )
    assert worker.call("claim")[0] == 401


def test_a_cancelled_task_is_given_to_nobody(shared: Site, ann: Browser) -> None:
    page = ann.submit().url
    ann.post(page + "stop", at=page)
    assert Calls(shared, "one").call("claim")[0] == 204
    assert "was cancelled" in ann.get(page).text


def test_a_task_that_was_stopped_says_so_before_its_result_is_there(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit().url
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    assert worker.call(f"tasks/{task}/accept", {"lease": lease})[0] == 204
    ann.post(page + "stop", at=page)
    told = {"lease": lease, "points": 2, "ended": 1}
    order = json.loads(worker.call(f"tasks/{task}/heartbeat", told)[1])
    assert order == {"order": "stop", "reason": "its owner stopped it"}
    interrupted = {"lease": lease, "reason": "its owner stopped it"}
    # An answer that was lost is asked for again.
    for _ in range(2):
        assert worker.call(f"tasks/{task}/interrupted", interrupted)[0] == 204
    shown = ann.get(page).text
    for said in ("was stopped; what it has finished is being packed", "its owner stopped it"):
        assert said in shown
    assert "it is being stopped" not in shown
    # The task is still the worker's, and the time of its interruption stays.
    at = shared.task("interrupted_at")
    assert worker.call(f"tasks/{task}/heartbeat", told)[0] == 200
    assert worker.call(f"tasks/{task}/finish", {**told, "outcome": "stopped"})[0] == 200
    assert shared.task("interrupted_at") == at
    assert shared.task() == "stopped"


def leased_until(site: Site) -> str:
    return site.python(
        "from weft.service.tasks.models import Task\nprint(Task.objects.get().leased_until)"
    )


def test_a_lease_is_renewed_before_it_ends_and_not_at_each_call(shared: Site, ann: Browser) -> None:
    ann.submit()
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    told = {"lease": lease, "points": 2, "ended": 0}
    first = leased_until(shared)
    # Each write waits for the disk; of the 20 s of this lease nearly all are left.
    shared.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.tasks.models import Task\n"
        "Task.objects.update(points=2,"
        " leased_until=timezone.now() + datetime.timedelta(seconds=3600))"
    )
    before = leased_until(shared)
    assert before > first
    assert worker.call(f"tasks/{task}/heartbeat", told)[0] == 200
    assert leased_until(shared) == before
    # Something new is noted at once, and the lease counts from now.
    assert worker.call(f"tasks/{task}/heartbeat", {**told, "ended": 1})[0] == 200
    assert leased_until(shared) < before
    shared.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.tasks.models import Task\n"
        "Task.objects.update(leased_until=timezone.now() + datetime.timedelta(seconds=2))"
    )
    short = leased_until(shared)
    assert worker.call(f"tasks/{task}/heartbeat", {**told, "ended": 1})[0] == 200
    assert leased_until(shared) > short


def test_a_clock_that_is_set_back_keeps_no_lease_of_a_silent_worker(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    worker = Calls(shared, "one")
    worker.claim()
    # What an hour ago, by the clock of now, was written of an hour later.
    shared.python(
        "import datetime\nfrom django.db.models import F\n"
        "from weft.service.tasks.models import Task\n"
        "Task.objects.update(leased_until=F('leased_until') + datetime.timedelta(hours=1))"
    )
    assert Calls(shared, "two").call("claim")[0] == 204
    lease_s = (
        "from django.utils import timezone\nfrom weft.service.tasks.models import Task\n"
        "print((Task.objects.get().leased_until - timezone.now()).total_seconds())"
    )
    assert float(shared.python(lease_s)) <= float(shared.environment["WEFT_SERVICE_LEASE_S"])

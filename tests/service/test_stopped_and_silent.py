"""Somebody stops a task, and its worker falls silent before it reports: the task was stopped, and
what was finished follows when the worker comes back."""

import json
from hashlib import sha256

import pytest

from tests.service.conftest import OPEN, Browser, Site, wait_for
from tests.service.test_every_state import packed
from tests.service.test_kills import LONG, POINTS, journals, kill, overdue, simulators
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
STATES = ("claimed", "running", "packing")
RESULT = packed()
STOPPED = {
    "outcome": "stopped",
    "reason": "its owner stopped it",
    "points": 2,
    "ended": 1,
    "result_bytes": len(RESULT),
    "result_sha256": sha256(RESULT).hexdigest(),
}


class Silent:
    """A task that its owner has stopped, and whose worker has reported nothing since."""

    def __init__(self, site: Site, ann: Browser, state: str) -> None:
        self.site, self.ann, self.worker = site, ann, Calls(site, "one")
        self.page = ann.submit().url
        self.task, lease = self.worker.claim()
        self.lease = {"lease": lease}
        if state != "claimed":
            self.call("accept")
        ann.post(self.page + "stop", at=self.page)
        if state == "packing":
            self.call("interrupted", reason="its owner stopped it")
        assert site.task() == state
        overdue(site)
        # Any worker that asks makes the server look at leases.
        assert Calls(site, "two").call("claim")[0] == 204

    def call(self, path: str, **more: object) -> tuple[int, str]:
        return self.worker.call(f"tasks/{self.task}/{path}", {**self.lease, **more})

    def hand_over(self, **more: object) -> tuple[int, str]:
        held = {"method": "PUT", "X_Weft_Lease": self.lease["lease"]}
        sent = self.worker.call(f"tasks/{self.task}/result/0", RESULT, **held)
        return self.call("finish", **STOPPED, **more) if sent[0] == 200 else sent


@pytest.mark.parametrize("state", STATES)
def test_a_stopped_task_whose_worker_fell_silent_was_stopped(
    state: str, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, state)
    assert shared.task() == "stopped"
    assert shared.task("interrupted_at") != "None"
    said = "its owner stopped it; its worker fell silent before it sent what was finished"
    assert said in ann.get(silent.page).text
    # It is nobody else's.
    assert Calls(shared, "two").call("claim")[0] == 204


@pytest.mark.parametrize("state", STATES)
def test_a_worker_that_was_only_out_of_reach_hands_over_what_was_finished(
    state: str, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, state)
    if state == "claimed":
        assert silent.call("accept")[0] == 204
    assert silent.call("heartbeat", points=2, ended=1) == (200, '{"order":"stop"}')
    assert silent.call("interrupted", reason="its owner stopped it")[0] == 204
    assert shared.task() == "stopped"
    assert silent.hand_over() == (200, '{"ended": true}')
    assert silent.call("finish", **STOPPED) == (200, '{"ended": false}')
    assert (shared.task(), shared.task("points_ended")) == ("stopped", "1")
    assert ann.get(silent.page + "archive.zip").content == RESULT
    assert "fell silent" not in ann.get(silent.page).text


def test_a_task_that_was_finished_before_its_silent_worker_heard_of_the_stop_is_done(
    shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, "running")
    held = {"method": "PUT", "X_Weft_Lease": silent.lease["lease"]}
    assert silent.worker.call(f"tasks/{silent.task}/result/0", RESULT, **held)[0] == 200
    assert silent.call("finish", **{**STOPPED, "outcome": "done", "ended": 2})[0] == 200
    assert shared.task() == "done"


def test_a_silent_worker_that_fails_late_leaves_a_stopped_task(shared: Site, ann: Browser) -> None:
    silent = Silent(shared, ann, "running")
    assert silent.call("finish", outcome="failed", reason="the disk is full")[0] == 200
    assert (shared.task(), shared.task("reason")) == ("stopped", "the disk is full")


@pytest.mark.parametrize("state", STATES)
def test_a_worker_that_was_restarted_gets_its_stopped_task_again_to_pack_it(
    state: str, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, state)
    before = silent.lease
    task, lease = silent.worker.claim()
    assert (task, shared.task()) == (silent.task, "stopped")
    # The process before it has nothing left to say, and no third one gets the task meanwhile.
    assert silent.call("heartbeat")[0] == 410
    assert silent.worker.call("claim")[0] == 204
    silent.lease = {"lease": lease}
    assert before != silent.lease
    assert silent.call("accept")[0] == 204
    assert json.loads(silent.call("heartbeat", points=2, ended=1)[1])["order"] == "stop"
    assert silent.hand_over() == (200, '{"ended": true}')
    assert ann.get(silent.page + "archive.zip").content == RESULT
    assert silent.worker.call("claim")[0] == 204


def test_a_worker_that_dies_of_packing_gets_the_task_no_more_than_twice_again(
    shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, "running")
    for _ in range(2):
        assert silent.worker.claim()[0] == silent.task
        overdue(shared)
    assert silent.worker.call("claim")[0] == 204
    assert shared.task() == "stopped"


def test_a_worker_killed_before_it_hears_of_the_stop_packs_when_it_comes_back(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit(LONG).url
    token = shared.token("one")
    worker = shared.start_worker_with(token)
    wait_for(lambda: any(path.stat().st_size for path in journals(shared.folder)))
    worker.kill()
    ann.post(page + "stop", at=page)
    kill(worker)
    assert shared.task() == "running"
    wait_for(lambda: not simulators(shared.folder / "one"))
    overdue(shared)
    finished = sum(path.read_bytes().count(b"\n") for path in journals(shared.folder))
    shared.start_worker_with(token)
    wait_for(lambda: ann.get(page + "archive.zip").status == 200)
    assert shared.task() == "stopped"
    assert shared.task() not in OPEN
    assert int(shared.task("points_ended")) == finished
    assert 0 < finished < POINTS
    wait_for(lambda: not list((shared.folder / "one" / "tasks").glob("*")))

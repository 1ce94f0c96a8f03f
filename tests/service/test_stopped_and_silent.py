"""Somebody stops a task, or its time is up, and its worker falls silent before it reports: the task
was stopped, and what was finished follows when the worker comes back."""

import json
from hashlib import sha256

import pytest

from tests.service.conftest import OPEN, Browser, Site, wait_for
from tests.service.test_every_state import packed
from tests.service.test_kills import LONG, POINTS, journals, kill, overdue, simulators, taken
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
OWNER, TIME = "its owner stopped it", "the time-out of 600 s was reached"
#: Where the task is when its worker falls silent, and why it was interrupted.
STATES = (("claimed", OWNER), ("running", OWNER), ("packing", OWNER), ("packing", TIME))
RESULT = packed()
STOPPED = {
    "outcome": "stopped",
    "points": 2,
    "ended": 1,
    "result_bytes": len(RESULT),
    "result_sha256": sha256(RESULT).hexdigest(),
}


class Silent:
    """A task that was interrupted, and whose worker has reported nothing since."""

    def __init__(self, site: Site, ann: Browser, state: str, why: str = OWNER) -> None:
        self.site, self.ann, self.why, self.worker = site, ann, why, Calls(site, "one")
        self.page = ann.submit().url
        self.task, lease = self.worker.claim()
        self.lease = {"lease": lease}
        if state != "claimed":
            self.call("accept")
        if why == OWNER:
            ann.post(self.page + "stop", at=self.page)
        if state == "packing":
            self.call("interrupted", reason=why)
        assert site.task() == state
        overdue(site)
        # Any worker that asks makes the server look at leases.
        assert Calls(site, "two").call("claim")[0] == 204

    def call(self, path: str, **more: object) -> tuple[int, str]:
        return self.worker.call(f"tasks/{self.task}/{path}", {**self.lease, **more})

    def hand_over(self, **more: object) -> tuple[int, str]:
        held = {"method": "PUT", "X_Weft_Lease": self.lease["lease"]}
        sent = self.worker.call(f"tasks/{self.task}/result/0", RESULT, **held)
        return self.call("finish", **STOPPED, reason=self.why, **more) if sent[0] == 200 else sent


@pytest.mark.parametrize(("state", "why"), STATES)
def test_a_stopped_task_whose_worker_fell_silent_was_stopped(
    state: str, why: str, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, state, why)
    assert shared.task() == "stopped"
    assert shared.task("interrupted_at") != "None"
    said = f"{why}; its worker fell silent before it sent what was finished"
    assert said in ann.get(silent.page).text
    # It is nobody else's.
    assert Calls(shared, "two").call("claim")[0] == 204


@pytest.mark.parametrize(("state", "why"), STATES)
def test_a_worker_that_was_only_out_of_reach_hands_over_what_was_finished(
    state: str, why: str, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, state, why)
    if state == "claimed":
        assert silent.call("accept")[0] == 204
    stop = {"order": "stop", "reason": why}
    assert json.loads(silent.call("heartbeat", points=2, ended=1)[1]) == stop
    assert silent.call("interrupted", reason=why)[0] == 204
    assert shared.task() == "stopped"
    assert silent.hand_over() == (200, '{"ended": true}')
    assert silent.call("finish", **STOPPED) == (200, '{"ended": false}')
    assert (shared.task(), shared.task("points_ended")) == ("stopped", "1")
    assert ann.get(silent.page + "archive.zip").content == RESULT
    shown = ann.get(silent.page).text
    assert why in shown
    assert "fell silent" not in shown


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


@pytest.mark.parametrize(("state", "why"), STATES)
def test_a_worker_that_was_restarted_gets_its_stopped_task_again_to_pack_it(
    state: str, why: str, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, state, why)
    before = silent.lease
    task, lease = silent.worker.claim()
    assert (task, shared.task()) == (silent.task, "stopped")
    # The process before it has nothing left to say, and no third one gets the task meanwhile.
    assert silent.call("heartbeat")[0] == 410
    assert silent.worker.call("claim")[0] == 204
    silent.lease = {"lease": lease}
    assert before != silent.lease
    assert silent.call("accept")[0] == 204
    # The process that was restarted learns why it shall stop.
    stop = {"order": "stop", "reason": why}
    assert json.loads(silent.call("heartbeat", points=2, ended=1)[1]) == stop
    assert silent.hand_over() == (200, '{"ended": true}')
    assert ann.get(silent.page + "archive.zip").content == RESULT
    assert silent.worker.call("claim")[0] == 204
    assert shared.task("reason") == why


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
    assert taken(ann, page) == (finished, finished)
    wait_for(lambda: not list((shared.folder / "one" / "tasks").glob("*")))


def test_a_worker_killed_while_it_packs_what_the_time_out_left_packs_when_it_comes_back(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit(LONG, timeout_s=5).url
    token = shared.token("one")
    worker = shared.start_worker_with(token)
    wait_for(lambda: shared.task() == "packing", pause_s=0.05)
    kill(worker)
    wait_for(lambda: not simulators(shared.folder / "one"))
    at = shared.task("interrupted_at")
    overdue(shared)
    shared.start_worker_with(token)
    wait_for(lambda: ann.get(page + "archive.zip").status == 200)
    assert shared.task() == "stopped"
    assert shared.task("reason") == "the time-out of 5 s was reached"
    assert shared.task("interrupted_at") == at
    ended = int(shared.task("points_ended"))
    assert ended < POINTS
    assert taken(ann, page) == (ended, ended)

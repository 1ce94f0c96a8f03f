"""Wherever a task is when it is stopped, what was finished counts: in ZIP, page and report."""

import io
import time
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
from weft.service.protocol import Offer, Outcome
from weft.service.worker.connection import Connection
from weft.service.worker.shared import PointCache
from weft.service.worker.task import TaskRun

from tests.patience import PATIENCE_S
from tests.service.conftest import BINARY, OPEN, SMALL, Browser, Site, wait_for
from tests.service.test_kills import (
    journals,
    kill,
    overdue,
    packed_points,
    simulators,
    taken,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
#: Two points end at once. The third one lasts as long as both of them many times over.
LONG = SMALL.replace("[4, 5]", "[4, 5, 240]")
GO_ON, STOP = b'{"order":"go on"}', b'{"order":"stop","reason":"its owner stopped it"}'
OWNER, TIME = "its owner stopped it", "the time-out of 1 s was reached"
#: What a task leaves first when it comes into a state.
STATES = {
    "preparing": "configs/experiment/small.yaml",
    "starting": "results/small/flow/*/input.json",
    "running": "results/small/flow/*/journal.jsonl",
    "collecting": "results/small/flow/*/status.json",
    "reporting": "results/small/collected.json",
    "archiving": "reports/small.html",
}
#: States in which all points have ended; only a task without the long one comes there.
LATE = ("collecting", "reporting", "archiving")
#: Planning has a limit of its own, and all that it could lose is a plan.
STOPS = [(state, why) for state in list(STATES)[1:] for why in (OWNER, TIME)]


def has(folder: Path, pattern: str) -> bool:
    return any(each.stat().st_size for each in folder.glob(pattern))


@dataclass
class Stopping(Connection):
    """A server where a task is stopped, or runs out of time, as soon as it has left a file.

    Its answer to a report waits for that file, so that no task is faster than its reports.
    """

    folder: Path
    left_first: str
    why: str
    planned: bool = False
    there: bool = False
    result: bytes = b""
    ends: list[Outcome] = field(default_factory=list)

    def call(
        self, method: str, path: str, body: bytes = b"", timeout_s: float = 30.0, **headers: str
    ) -> bytes:
        if path.endswith("/finish"):
            self.ends.append(Outcome.model_validate_json(body))
        elif "/result/" in path:
            self.result += body
            return b'{"received":%d}' % len(self.result)
        elif path.endswith("/heartbeat"):
            end = time.monotonic() + PATIENCE_S
            while not self._is_there() and self.planned:
                assert time.monotonic() < end, "waited in vain"
                time.sleep(0.002)
            return STOP if self.there and self.why == OWNER else GO_ON
        return b""

    def _is_there(self) -> bool:
        """Packing removes what shards that had not begun have left."""
        self.there = self.there or has(self.folder, self.left_first)
        return self.there


class Planned(TaskRun):
    """Says when the run begins, whose time-out counts."""

    def _planned(self) -> tuple[str, int]:
        found = TaskRun._planned(self)
        assert isinstance(self.server, Stopping)
        self.server.planned = True
        return found


def stopped(folder: Path, state: str, why: str) -> Stopping:
    """What the server was sent of a task that was stopped in a state."""
    server = Stopping(folder / "task", STATES[state], why)
    offer = Offer(
        task="t", lease="l", lease_s=60, experiment="small", files=[], result_bytes=500_000_000,
        experiment_yaml=SMALL if state in LATE else LONG, timeout_s=1 if why == TIME else 3600,
    )  # fmt: skip
    Planned(offer, server, server.folder, PointCache(folder / "shared", 0)).perform()
    assert not server.folder.exists()
    return server


def counted(done: int, points: int) -> str:
    """What a report says of the points of an engine."""
    return f"{done} done, 0 failed, 0 skipped, {points - done} missing"


@pytest.fixture(autouse=True)
def simulator(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that is there: no run compiles one."""
    monkeypatch.setenv("WEFT_FLOW", str(BINARY))


def test_a_task_that_is_stopped_while_it_is_prepared_has_nothing_to_count(tmp_path: Path) -> None:
    [end] = stopped(tmp_path, "preparing", OWNER).ends
    assert (end.outcome, end.reason, end.ended) == ("stopped", OWNER, 0)


@pytest.mark.parametrize(("state", "why"), STOPS)
def test_finished_points_count_wherever_a_task_is_stopped(
    tmp_path: Path, state: str, why: str
) -> None:
    server = stopped(tmp_path, state, why)
    [end] = server.ends
    points = 2 if state in LATE else 3
    # What has all of its points may have ended well before anything could stop it.
    assert (end.outcome, end.reason) == ("stopped", why) or (state in LATE and not end.reason)
    assert end.points == points
    assert end.ended == points if state in LATE else end.ended < points
    assert end.ended >= (state != "starting")
    assert packed_points(server.result) == (end.ended, end.ended)
    with zipfile.ZipFile(io.BytesIO(server.result)) as archive:
        page = archive.read("reports/small.html").decode()
    assert counted(end.ended, points) in page
    assert "did not end by itself" not in end.log_tail


def killed_and_stopped(site: Site, ann: Browser, state: str) -> tuple[str, int]:
    """The page of a task whose worker was killed in a state, and how many points had ended then.

    Its owner stops it before a worker comes back.
    """
    page = ann.submit(SMALL if state in LATE else LONG).url
    token = site.token("one")
    worker = site.start_worker_with(token)
    wait_for(lambda: has(site.folder, f"one/tasks/*/{STATES[state]}"), pause_s=0.002)
    worker.kill()
    kill(worker)
    ann.post(page + "stop", at=page)
    # A simulator that was starting at that moment may not learn of it, and would run to its end.
    for process in simulators(site.folder / "one"):
        with suppress(psutil.Error):
            process.kill()
    wait_for(lambda: not simulators(site.folder / "one"))
    ended = sum(len(each.read_bytes().splitlines()) for each in journals(site.folder / "one"))
    overdue(site)
    site.start_worker_with(token)
    wait_for(lambda: not list(site.folder.glob("one/tasks/*")))
    assert site.task() not in OPEN
    return page, ended


@pytest.mark.parametrize("state", list(STATES))
def test_finished_points_count_when_a_killed_worker_comes_back_to_a_stopped_task(
    shared: Site, ann: Browser, state: str
) -> None:
    page, ended = killed_and_stopped(shared, ann, state)
    points = 2 if state in LATE else 3
    assert ended == points if state in LATE else ended < points
    assert ended >= (state not in ("preparing", "starting"))
    assert taken(ann, page) == (ended, ended)
    shown = ann.get(page).text
    assert OWNER in shown
    assert f"{ended} of {points}" in shown
    assert counted(ended, points) in ann.get(page + "report").text

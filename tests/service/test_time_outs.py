"""A task's time-out does not wait for a server that does not answer."""

from pathlib import Path

import pytest
from weft.files.layout import CLONE, Layout
from weft.service.protocol import Offer, Outcome
from weft.service.worker.connection import AwayError, Connection
from weft.service.worker.shared import PointCache
from weft.service.worker.task import TaskRun

SLEEPS = ["-n", "1", "import time; time.sleep(600)"]


class Away(Connection):
    """A server that is away, and for how long each call would have waited for it."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:1", "", "")
        self.patience_s: list[float] = []

    def call(
        self, method: str, path: str, body: bytes = b"", timeout_s: float = 30.0, **headers: str
    ) -> bytes:
        self.patience_s.append(timeout_s)
        raise AwayError(f"{method} {path} {len(body)} {headers}")


@pytest.mark.slow
def test_no_report_waits_past_the_end_of_a_time_out(tmp_path: Path) -> None:
    server, cache = Away(), PointCache(tmp_path / "shared", 0)
    offer = Offer(
        task="t", lease="l", lease_s=60, experiment="e", experiment_yaml="", timeout_s=1,
        files=[], result_bytes=0,
    )  # fmt: skip
    run = TaskRun(offer, server, tmp_path, cache)
    run._layout = Layout(tmp_path)
    order, _ = run._command("timeit", SLEEPS, offer.timeout_s)
    assert order == "stop"
    assert run._reason == "the time-out of 1 s was reached"
    assert max(server.patience_s) <= offer.timeout_s


def test_no_reason_names_folders_of_the_worker(tmp_path: Path) -> None:
    offer = Offer(
        task="t", lease="l", lease_s=60, experiment="e", experiment_yaml="", timeout_s=1,
        files=[], result_bytes=0,
    )  # fmt: skip
    run = TaskRun(offer, Away(), tmp_path, PointCache(tmp_path / "shared", 0))
    told: list[bytes] = []

    class Listening(Away):
        """A server that hears how a task ended."""

        def call(
            self, method: str, path: str, body: bytes = b"", timeout_s: float = 30.0, **headers: str
        ) -> bytes:
            told.append(body)
            return b"{}"

    run.server, run._layout = Listening(), Layout(tmp_path)
    run._reason = f"{tmp_path}/programs/own.c:3: no such file in {CLONE}/workflow"
    run._finish("failed", 1)
    (end,) = map(Outcome.model_validate_json, told)
    assert end.reason == "./programs/own.c:3: no such file in weft/workflow"

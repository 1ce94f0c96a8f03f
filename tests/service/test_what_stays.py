"""What the page and the mail of a task say of what stays: its result, if there is one."""

import pytest

from tests.service.conftest import Browser, Site
from tests.service.test_stopped_and_silent import STOPPED, Silent

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]


def test_a_task_in_the_queue_promises_a_result(ann: Browser) -> None:
    assert "This page and its result stay for 3 days after the end" in ann.submit().text


def test_a_cancelled_task_has_no_result_that_stays(shared: Site, ann: Browser) -> None:
    page = ann.submit().url
    ann.post(page + "stop", at=page)
    shown = ann.get(page).text
    assert "This page stays until 20" in shown
    assert "This page and its result" not in shown
    assert "Take what you need" not in shown


def test_a_stopped_task_without_a_result_says_what_may_follow(shared: Site, ann: Browser) -> None:
    silent = Silent(shared, ann, "running")
    shown = ann.get(silent.page).text
    assert "This page stays until 20" in shown
    assert "If the worker comes back, it sends what was finished" in shown
    assert silent.hand_over()[0] == 200
    shown = ann.get(silent.page).text
    assert "This page and its result stay until 20" in shown
    assert "If the worker comes back" not in shown


def test_a_task_that_ended_without_a_result_says_so_in_its_mail(
    server: Site, shared: Site, ann: Browser
) -> None:
    silent = Silent(shared, ann, "running")
    log = server.folder / "server.log"
    before = len(log.read_text())
    nothing = {"result_bytes": None, "result_sha256": ""}
    assert silent.call("finish", **{**STOPPED, **nothing})[0] == 200
    mail = log.read_text()[before:]
    assert "Its page stays until" in mail
    assert "Its page and its result" not in mail

"""A form as a person without JavaScript meets it."""

import html

import pytest

from tests.service.conftest import Browser, Site

pytestmark = pytest.mark.slow
FLOW = {
    "name": "mine",
    "timeout_s": "600",
    "workload": "uniform",
    "workload.message_size": "1 KiB",
    "topology": "torus",
    "topology.k": "4",
    "network": "gigabit",
}


def test_a_checked_form_shows_its_points_and_its_experiment(ann: Browser) -> None:
    answer = ann.post("/submit/form/flow", **FLOW, check="1")
    assert answer.status == 200
    assert "1 point." in answer.text
    assert "override /topology: torus" in answer.text


def test_a_mistake_queues_nothing_and_what_was_written_stays(site: Site, ann: Browser) -> None:
    answer = ann.post("/submit/form/flow", **{**FLOW, "topology.k": "<b>1"}, submit="1")
    assert "/tasks/" not in answer.url
    assert "<b>1" not in answer.text
    assert "<b>1" in html.unescape(answer.text)
    count = "from weft.service.tasks.models import Task\nprint(Task.objects.count())"
    assert site.python(count) == "0"


def test_a_submitted_form_is_a_task(site: Site, ann: Browser) -> None:
    answer = ann.post("/submit/form/flow", **FLOW, submit="1")
    assert "/tasks/" in answer.url
    assert site.task("template") == "flow"


def test_the_list_names_every_template(ann: Browser) -> None:
    answer = ann.get("/submit/")
    assert "/submit/form/flow" in answer.text
    assert "/submit/form/rdma" in answer.text

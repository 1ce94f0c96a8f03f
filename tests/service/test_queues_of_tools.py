"""A queue for each tool: its tasks go to the workers that are chosen for it."""

import json

import pytest

from tests.service.conftest import Browser, Site
from tests.service.test_at_home import FORM as FIDELITY
from tests.service.test_form_pages import FLOW
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]

TOOLS = {"flow": FLOW, "fidelity": FIDELITY}


def test_the_tasks_of_each_tool_wait_in_its_queue_for_its_workers(
    shared: Site, ann: Browser
) -> None:
    workers = {tool: Calls(shared, f"for-{tool}") for tool in TOOLS}
    anyone = Calls(shared, "for-all")
    for tool in TOOLS:
        shared.python(
            "from weft.service.queue.models import Queue, Worker\n"
            f"queue = Queue.objects.create(name='of-{tool}', template={tool!r})\n"
            f"Worker.objects.get(name='for-{tool}').queues.add(queue)"
        )
    for tool, form in TOOLS.items():
        page = ann.post(f"/submit/form/{tool}", **{**form, "name": f"with_{tool}"}, submit="1")
        assert "/tasks/" in page.url, page.text
    ann.submit()
    # The last one first, which has waited for the shortest time.
    for tool in reversed(TOOLS):
        status, text = workers[tool].call("claim")
        assert (status, json.loads(text)["experiment"]) == (200, f"with_{tool}")
        assert workers[tool].call("claim")[0] == 204
    assert json.loads(anyone.call("claim")[1])["experiment"] == "small"

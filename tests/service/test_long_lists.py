"""Lists of tasks, people, queues and workers ask as much of the database for many as for few."""

import json

import pytest

from tests.service.conftest import Browser, Site
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
PAGES = (
    "/",
    "/?page=2",
    "/admin/",
    "/admin/tasks/task/",
    "/admin/queue/queue/",
    "/admin/queue/worker/",
    "/admin/accounts/person/",
)
MORE = """
from weft.service.accounts.models import Person
from weft.service.queue.models import Queue, Worker
from weft.service.tasks.models import State, Task

owner = Person.objects.get(email="ann@example.org")
for n in range({count}):
    person = Person.objects.create_user(f"p{{n}}@example.org", "")
    queue, _ = Queue.objects.get_or_create(name=f"q{{n}}")
    worker, _ = Worker.objects.get_or_create(name=f"w{{n}}", token_sha256=str(n))
    for whose in (owner, person):
        Task.objects.bulk_create(
            Task(owner=whose, experiment="small", experiment_yaml="", title=f"t{{m}}", queue=queue,
                 timeout_s=600, worker=worker, state=State.RUNNING)
            for m in range(10)
        )
"""
#: Prints how many statements each page needs.
COUNT = """
import json
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from weft.service.accounts.models import Person

settings.ALLOWED_HOSTS = ["*"]
Person.objects.filter(email="ann@example.org").update(is_staff=True, is_superuser=True)
client = Client()
client.force_login(Person.objects.get(email="ann@example.org"))
counts = {{}}
for page in {pages!r}:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(page).status_code == 200, page
    counts[page] = len(asked)
print(json.dumps(counts))
"""


def statements(site: Site) -> dict[str, int]:
    found: dict[str, int] = json.loads(site.python(COUNT.format(pages=PAGES)).splitlines()[-1])
    return found


def test_no_list_asks_more_with_more_rows(shared: Site, ann: Browser) -> None:
    shared.python(MORE.format(count=6))
    few = statements(shared)
    shared.python("from weft.service.accounts.models import Person\n"
                  "Person.objects.exclude(email='ann@example.org').delete()")  # fmt: skip
    shared.python(MORE.format(count=30))
    assert statements(shared) == few


def test_a_worker_runs_what_it_has_and_nothing_that_was_stopped_in_its_silence(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    Calls(shared, "one").claim()
    shared.python(COUNT.format(pages=()))
    listed = "/admin/queue/worker/"
    assert "Small (small)" in ann.get(listed).text
    shared.python(
        "from weft.service.tasks.models import Task\nTask.objects.update(state='stopped')"
    )
    assert "Small (small)" not in ann.get(listed).text

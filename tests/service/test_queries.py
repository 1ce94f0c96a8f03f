"""What the calls of workers ask of the database, counted: a load of the machine changes nothing."""

import json

import pytest

from tests.service.conftest import Browser, Site
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
#: Makes a request among the server's tables; prints the answer and the statements.
CALL = """
import json
import weft
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

settings.ALLOWED_HOSTS = ["*"]
made = RequestFactory().generic(
    {method!r}, "/api/" + {path!r}, {body!r}, content_type="application/json",
    headers={{"Authorization": "Bearer {token}", "X-Weft-Version": weft.__version__, **{more}}},
)
with CaptureQueriesContext(connection) as asked:
    answer = b"".join(get_wsgi_application()(made.environ, lambda *_: None)).decode()
print(json.dumps([answer, [each["sql"] for each in asked.captured_queries]]))
"""
FILES = """
from hashlib import sha256
from weft.service.tasks.models import Task, TaskFile
content = b"x" * 1000
TaskFile.objects.bulk_create(
    TaskFile(task=task, path=f"uploads/{n}", sha256=sha256(content).hexdigest(), content=content)
    for task in Task.objects.all() for n in range(3)
)
"""
#: Prints how many statements a list of tasks needs, and how SQLite finds what it shows.
LIST = """
import json
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from weft.service.accounts.models import Person
from weft.service.pages.views import tasks

request = RequestFactory().get("/")
request.user = Person.objects.get()
with CaptureQueriesContext(connection) as asked:
    assert tasks(request).status_code == 200
(listed,) = [each["sql"] for each in asked.captured_queries if "ORDER BY" in each["sql"]]
with connection.cursor() as cursor:
    cursor.execute("EXPLAIN QUERY PLAN " + listed)
    print(json.dumps([len(asked), [row[3] for row in cursor.fetchall()]]))
"""


class Counted(Calls):
    """A worker's calls, with the statements that each brings."""

    def asked(
        self, path: str, body: object, method: str = "POST", **more: str
    ) -> tuple[str, list[str]]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        code = CALL.format(method=method, path=path, body=content, token=self.token, more=more)
        answer, statements = json.loads(self.site.python(code).splitlines()[-1])
        # A connection is set up once, and a worker is seen again after some seconds.
        seldom = ("PRAGMA", 'UPDATE "queue_worker" SET "last_seen_at"')
        return answer, [each for each in statements if not each.startswith(seldom)]


def test_no_call_of_a_worker_asks_more_with_more_tasks_and_only_ends_take_transactions(
    shared: Site, ann: Browser
) -> None:
    for _ in range(4):
        ann.submit()
    shared.python(FILES)
    worker = Counted(shared, "one")
    worker.asked("claim", {"missing_layers": []})
    offer, claim = worker.asked("claim", {"missing_layers": []})
    found = json.loads(offer)
    assert [each["size"] for each in found["files"]] == [1000] * 3
    # Megabytes of programs stay where they are until the worker asks for them.
    assert not [each for each in claim if '"content",' in each or '"content" FROM' in each]
    task, lease = f"tasks/{found['task']}/", {"lease": found["lease"]}
    _, accept = worker.asked(task + "accept", lease)
    _, news = worker.asked(task + "heartbeat", {**lease, "points": 3, "ended": 1})
    order, nothing_new = worker.asked(task + "heartbeat", {**lease, "points": 3, "ended": 1})
    piece = {"method": "PUT", "X-Weft-Lease": found["lease"]}
    received, sent = worker.asked(task + "result/0", b"abc", **piece)
    _, finish = worker.asked(task + "finish", {**lease, "outcome": "failed", "reason": "it did"})
    assert json.loads(order) == {"order": "go on"}
    assert json.loads(received) == {"received": 3}
    counts = {
        "claim": len(claim),
        "accept": len(accept),
        "news": len(news),
        "nothing new": len(nothing_new),
        "piece": len(sent),
        "finish": len(finish),
    }
    assert counts == {
        "claim": 11, "accept": 2, "news": 3, "nothing new": 2, "piece": 2, "finish": 6
    }  # fmt: skip
    # On SQLite a transaction keeps all others waiting.
    for statements in (accept, news, nothing_new, sent):
        assert not [each for each in statements if each.startswith(("BEGIN", "SAVEPOINT"))]
    # What a call sets in one task, it sets in nothing else of it.
    assert not [each for each in (*accept, *news, *finish) if 'SET "name"' in each]


def test_writes_that_do_not_wait_for_the_disk_leave_a_connection_that_does(
    shared: Site, ann: Browser
) -> None:
    ann.submit()
    worker = Counted(shared, "one")
    kept = "with connection.cursor() as cursor:\n    cursor.execute('PRAGMA synchronous')"
    path, lease = "", {}
    for call, more in (("claim", {}), ("accept", {}), ("heartbeat", {"points": 1})):
        body = json.dumps({**lease, **more}).encode()
        code = CALL.format(method="POST", path=path + call, body=body, token=worker.token, more={})
        said = shared.python(f"{code}\n{kept}\n    print(cursor.fetchone()[0])").splitlines()
        answer, statements = json.loads(said[-2])
        assert "PRAGMA synchronous=NORMAL" in statements
        assert said[-1] == "2"
        if call == "claim":
            found = json.loads(answer)
            path, lease = f"tasks/{found['task']}/", {"lease": found["lease"]}


def test_a_page_far_down_a_long_list_sorts_nothing(shared: Site, ann: Browser) -> None:
    ann.submit()
    count, steps = json.loads(shared.python(LIST))
    # Without a sort SQLite passes over the rows of earlier pages and reads none of them.
    assert [each for each in steps if "USING INDEX in_list" in each], steps
    assert not [each for each in steps if "TEMP B-TREE" in each], steps
    # However many are listed.
    assert count == 2

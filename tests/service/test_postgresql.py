"""The same service on PostgreSQL: a real server of Debian's package, started here."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.conftest import Site, logged_in
from tests.service.test_queue import Calls

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]


def test_workers_at_the_same_time_get_different_tasks(on_postgresql: Site) -> None:
    site = on_postgresql
    site.start_server()
    ann = logged_in(site)
    for _ in range(6):
        assert ann.submit().status == 200
    vendor = site.python("from django.db import connection\nprint(connection.vendor)")
    assert vendor == "postgresql"
    workers = [Calls(site, f"worker-{number}") for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda worker: worker.call("claim"), workers))
    assert [status for status, _ in answers] == [200] * 6
    assert len({json.loads(text)["task"] for _, text in answers}) == 6
    assert workers[0].call("claim")[0] == 204

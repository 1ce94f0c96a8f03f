"""The same service on PostgreSQL: a real server of Debian's package, started here."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service.conftest import Browser, Site, free_port
from tests.service.test_queue import Calls

pytestmark = pytest.mark.slow


def tools() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        if "CI" in os.environ:
            pytest.fail("no PostgreSQL here")
        pytest.skip("no PostgreSQL here: install postgresql")
    return found[-1].parent


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[str]:
    """An address of a database of its own; root cannot run the server, `nobody` can."""
    bin_, folder, port = tools(), Path("/var/tmp") / f"weft-{tmp_path.name}", free_port()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    become = []
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
        become = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]

    def run(*command: str) -> None:
        done = subprocess.run(
            [*become, *command], cwd="/", capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    data = f"{folder}/data"
    run(f"{bin_}/initdb", "--username=weft", "--auth=trust", "--encoding=UTF8", "-D", data)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
    run(f"{bin_}/pg_ctl", "-w", "-D", data, "-l", f"{folder}/log", "-o", options, "start")
    try:
        yield f"postgresql://weft@127.0.0.1:{port}/postgres"
    finally:
        run(f"{bin_}/pg_ctl", "-w", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def test_workers_at_the_same_time_get_different_tasks(tmp_path: Path, postgresql: str) -> None:
    site = Site(tmp_path, more={"WEFT_SERVICE_DATABASE": postgresql})
    site.manage("migrate", "--verbosity", "0")
    try:
        site.account("ann@example.org")
        site.start_server()
        ann = Browser(site.address)
        ann.log_in("ann@example.org")
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
    finally:
        site.end()

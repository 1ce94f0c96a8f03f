"""A site is backed up while it runs, lost, and restored: by the lines of `docs/service.md`."""

import re
import shutil
import subprocess
import sys
from hashlib import sha256

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import ROOT, Browser, Site, logged_in
from tests.service.test_every_state import packed
from tests.service.test_kills import kill, overdue
from tests.service.test_queue import Calls
from tests.service.test_site import needs

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
RESULT = packed()


def lines(number: int, database: str) -> str:
    """A block of the section, without the lines of the other database."""
    text = (ROOT / "docs" / "service.md").read_text().partition("### Backup")[2]
    block: str = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[number]
    other = {"SQLite": "PostgreSQL", "PostgreSQL": "SQLite"}[database]
    return "".join(line for line in block.splitlines(True) if not line.endswith(f"# {other}\n"))


def run(site: Site, block: str) -> None:
    # The environment of these tests need not be the clone's own.
    block = block.replace(".venv/bin/python", sys.executable)
    command = ["sh", "-euc", block]
    done = subprocess.run(
        command, cwd=site.folder, env=site.environment, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_a_lost_site_comes_back_as_it_was(database: str, request: pytest.FixtureRequest) -> None:
    site: Site = request.getfixturevalue("site" if database == "SQLite" else "on_postgresql")
    needs({"SQLite": "sqlite3", "PostgreSQL": "pg_restore"}[database])
    server = site.start_server()
    ann, worker = logged_in(site), Calls(site, "one")
    done = ann.submit().url
    task, lease = worker.claim()
    held = {"method": "PUT", "X_Weft_Lease": lease}
    assert worker.call(f"tasks/{task}/result/0", RESULT, **held)[0] == 200
    told = {"outcome": "done", "result_bytes": len(RESULT)}
    told |= {"lease": lease, "result_sha256": sha256(RESULT).hexdigest()}
    assert worker.call(f"tasks/{task}/finish", told)[0] == 200
    ann.submit()
    runs, lease = worker.claim()
    assert worker.call(f"tasks/{runs}/accept", {"lease": lease})[0] == 204

    run(site, lines(0, database))
    # What comes after the copy is lost with the site.
    later = ann.submit(name="later").url
    kill(server)
    site.end()
    if database == "SQLite":
        shutil.rmtree(site.state)
    run(site, lines(1, database))
    site.start_server()

    # The same session, the same result, and the password still opens the account.
    assert ann.get(done + "archive.zip").content == RESULT
    assert ann.get(later).status == 404
    assert "Your tasks" in Browser(site.address).log_in("ann@example.org").text
    # The worker goes on with what it had, by its old token.
    assert worker.call(f"tasks/{runs}/heartbeat", {"lease": lease})[1] == '{"order":"go on"}'
    overdue(site)
    assert worker.claim()[0] == runs

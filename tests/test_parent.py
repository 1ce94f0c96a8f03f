"""What tests start ends with them, however they end."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.patience import wait_until

ROOT = Path(__file__).parents[1]
#: Starts a process in a session of its own, and prints its number.
SERVER = """
import subprocess, time
from tests.parent import with_parent
process = subprocess.Popen(with_parent(["sleep", "1000"]), start_new_session=True)
print(process.pid, flush=True)
time.sleep(1000)
"""
DAEMON = """
import sys, time
from tests.parent import afterwards
with afterwards(["touch", sys.argv[1]]):
    print("it runs", flush=True)
    {then}
"""


def started(code: str, *words: str) -> tuple[subprocess.Popen[str], str]:
    """A process with this code, and the first line that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    return process, process.stdout.readline()


def test_a_server_of_tests_that_are_killed_ends_with_them() -> None:
    tests, number = started(SERVER)
    server = psutil.Process(int(number))
    # Before that it has not yet asked for the signal.
    wait_until(lambda: server.name() == "sleep")
    tests.kill()
    tests.communicate()
    wait_until(lambda: not server.is_running() or server.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.parametrize("then", ["time.sleep(1000)", "pass"], ids=["killed", "ended"])
def test_what_has_to_happen_afterwards_happens_also_when_tests_are_killed(
    tmp_path: Path, then: str
) -> None:
    done = tmp_path / "done"
    tests, _ = started(DAEMON.format(then=then), str(done))
    if then != "pass":
        assert not done.exists()
        tests.kill()
    tests.communicate()
    wait_until(done.exists)

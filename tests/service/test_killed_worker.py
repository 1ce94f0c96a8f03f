"""A worker that is killed in the moment in which it starts a run leaves none behind."""

import signal
import subprocess
import sys

import psutil
import pytest

from tests.patience import PATIENCE_S, wait_until

pytestmark = pytest.mark.slow

#: Killed when its run works, before anything else is done.
WORKER = """
import os, signal, sys, time
from multiprocessing.popen_forkserver import Popen
from pathlib import Path
from weft.service.worker.process import ProcessGroup

launch = Popen._launch

def started(self, process):
    launch(self, process)
    while not (folder / "began").exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

folder = Path(sys.argv[1])
if __name__ == "__main__":
    Popen._launch = started
    ProcessGroup.start("sleeper", [sys.argv[1]], folder, folder / "log", dict(os.environ))
"""


def running(word):
    for process in psutil.process_iter(["cwd"]):
        if process.info["cwd"] == word:
            yield process


def test_a_run_ends_with_the_worker_that_has_just_started_it(tmp_path):
    (tmp_path / "sleeper.py").write_text(
        "import pathlib, time\npathlib.Path('began').touch()\ntime.sleep(600)\n"
    )
    worker = tmp_path / "worker.py"
    worker.write_text(WORKER)
    ended = subprocess.run([sys.executable, worker, str(tmp_path)], check=False, timeout=PATIENCE_S)
    assert ended.returncode == -signal.SIGKILL
    wait_until(lambda: not list(running(str(tmp_path))))

"""A worker is killed in the moment in which it starts a process: the process ends with it."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

from tests.patience import wait_until

#: Both ways in which engines start programs of others; the program is the arguments.
WORKER = """
import os, signal, subprocess, sys
from pathlib import Path
from weft.engines.external.process import ExternalProgram
from weft.engines.hardware.launch import launch
from weft.engines.limits import PointLimits

log, way, moment, *command = sys.argv[1:]

def kill_us(*_):
    os.kill(int(os.environ["WORKER"]), signal.SIGKILL)

os.environ["WORKER"] = str(os.getpid())
started = subprocess.Popen.__init__

def start(self, words, *given, **options):
    started(self, words, *given, **options)
    if words == command:
        kill_us()

if moment == "started":
    subprocess.Popen.__init__ = start
if moment == "forked":
    os.register_at_fork(after_in_child=kill_us)
if way == "external":
    ExternalProgram("sleeper").run(command, Path(log), PointLimits(600, 1 << 40, 1 << 30))
else:
    launch(command, "sleeper", 600, Path(log))
"""


def runs(number):
    lines = (process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"]))
    return any(number in line for line in lines)


@pytest.mark.parametrize("way", ["external", "launch"])
@pytest.mark.parametrize("moment", ["forked", "started"])
def test_a_process_that_a_killed_worker_has_just_started_ends(tmp_path, way, moment):
    number = f"600.{os.getpid()}"
    log = tmp_path / "log"
    words = [sys.executable, "-c", WORKER, log, way, moment, "sleep", number]
    worker = subprocess.run(words, check=False)
    assert worker.returncode == -signal.SIGKILL
    # Its end may come before its first moment.
    wait_until(lambda: not runs(number))

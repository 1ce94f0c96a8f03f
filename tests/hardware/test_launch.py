"""Launching: nothing that was started survives."""

import os
import signal
import subprocess
import sys
import tracemalloc
from threading import Thread

import psutil
import pytest
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import LaunchError, MeasurementError
from weft.engines.hardware.launch import MOST_READ, launch
from weft.engines.hardware.leftovers import SHARED
from weft.engines.hardware.site import read_site
from weft.engines.hardware.source import program_of
from weft.machine import MachineFile

from tests.patience import PATIENCE_S, wait_until


def nothing_runs_with(argument):
    lines = (process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"]))
    return not any(argument in line for line in lines)


def test_a_time_out_also_ends_processes_in_sessions_of_their_own(tmp_path):
    script = "setsid sleep 54321 & echo started; wait"
    with pytest.raises(MeasurementError, match=r"sleeper did not end within 5 s") as caught:
        launch(["sh", "-c", script], "sleeper", 5, tmp_path / "log")
    assert caught.value.log == "started"
    wait_until(lambda: nothing_runs_with("54321"))


def test_a_program_that_prints_without_end_is_stopped(tmp_path):
    log = tmp_path / "log"
    tracemalloc.start()
    most_bytes = 3 * MOST_READ
    with pytest.raises(MeasurementError, match=f"talker prints more than {most_bytes} B") as caught:
        launch(["sh", "-c", "yes $(seq 1000)"], "talker", 600, log, log_bytes=most_bytes)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(map(len, caught.value.log.splitlines())) <= 500
    # Only the end of it is read.
    assert log.stat().st_size > 2 * MOST_READ
    assert most < 20 * MOST_READ


def test_usage_covers_the_processes_that_a_launcher_starts(tmp_path):
    script = "import time\nwhile time.process_time() < 0.2: pass"
    command = ["sh", "-c", f"{sys.executable} -c '{script}'; true"]
    usage = launch(command, "counter", 600, tmp_path / "log")
    assert usage.cpu_s >= 0.2
    assert usage.wall_s >= usage.cpu_s / 2
    assert usage.peak_rss_bytes > 100_000


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 3", "thing ended with exit code 3"),
        ("kill -9 $$", r"thing was killed by signal 9 \(SIGKILL\)"),
        ("exit 134", r"thing was killed by signal 6 \(SIGABRT\)"),
        ("echo x.so: undefined symbol: halt; exit 1", "thing uses halt, which no file or library"),
        ("echo exited on signal 11; exit 1", r"thing was killed by signal 11 \(SIGSEGV\)"),
        ("echo MGEN: rank 9 does not exist; exit 1", "^thing: rank 9 does not exist$"),
    ],
)
def test_the_reason_of_a_failure(tmp_path, script, reason):
    with pytest.raises(MeasurementError, match=reason):
        launch(["sh", "-c", script], "thing", 600, tmp_path / "log")


def test_ranks_without_room_for_shared_memory_get_its_size_as_the_reason(tmp_path, monkeypatch):
    monkeypatch.setattr("weft.engines.hardware.launch.LITTLE_BYTES", 1 << 60)
    with pytest.raises(MeasurementError, match=r"SIGBUS\); /dev/shm has \d+ KiB"):
        launch(["sh", "-c", "kill -7 $$"], "thing", 600, tmp_path / "log")


def test_a_program_that_hangs_after_its_results_is_not_waited_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr("weft.engines.hardware.launch.ENDING_S", 0.5)
    results = tmp_path / "results"
    command = ["sh", "-c", f"touch {results}; exec sleep 6000"]
    with pytest.raises(LaunchError, match=r"within 0\.5 s of its last result and was stopped"):
        launch(command, "sleeper", 600, tmp_path / "log", results=results)


def test_nothing_stays_that_a_killed_launcher_has_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("weft.engines.hardware.launch.GRACE_S", 0.3)
    launch(["sh", "-c", "(setsid sleep 65432 &) ; true"], "starter", 600, tmp_path / "log")
    wait_until(lambda: nothing_runs_with("65432"))


#: Notes SIGTERM and dies by it, as a job does that Snakemake ends.
JOB = """
import sys
from pathlib import Path
from weft.engines.hardware.launch import launch
from weft.engines.jobs import recorded
folder = Path(sys.argv[1])
with recorded(folder, None):
    launch(sys.argv[2:], "program", 600, folder / "log")
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_job_that_is_ended_takes_ranks_behind_a_launcher_script_along(tmp_path, how):
    """The script does not become the launcher proper, which has its ranks in sessions of their
    own; the signal goes to all processes of the job, as `timeout` sends it."""
    number = f"{54321}.{int(how)}{os.getpid()}"
    proper = f"setsid sleep {number} & setsid sleep {number} & trap 'kill 0' TERM; wait; wait"
    script = tmp_path / "launcher"
    script.write_text(f'#!/bin/sh\nsh -c "{proper}"\necho ended\n')
    script.chmod(0o755)
    job = subprocess.Popen(
        [sys.executable, "-c", JOB, tmp_path, script], start_new_session=True, cwd=tmp_path
    )
    wait_until(lambda: not nothing_runs_with(number))
    os.killpg(job.pid, how)
    assert job.wait() == -how
    wait_until(lambda: nothing_runs_with(number))


@pytest.mark.slow
def test_ranks_that_nobody_watches_end_at_their_own_deadline(tmp_path):
    site = read_site(MachineFile())
    source = program_of({"workload": {"program": "pingpong"}}, SOURCES.parent)
    (executable,) = build_program(source, SOURCES, site.mpicc)
    endless = ["--repetitions", "2000000000", "--min-repetitions", "2000000000"]
    command = [site.launcher, "-n", "2", executable, "--output", tmp_path / "out", *endless]
    done = subprocess.run([*command, "--sizes", "8", "--deadline", "2"], timeout=PATIENCE_S)
    assert done.returncode != 0
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not SHARED.is_dir(), reason="the system has no /dev/shm")
@pytest.mark.parametrize("ends", ["raise SystemExit(1)", "time.sleep(600)"])
def test_memory_that_ranks_shared_is_removed_and_that_of_others_is_not(tmp_path, ends):
    mine, others = (SHARED / f"mpich_test_{os.getpid()}_{i}" for i in (1, 2))
    go = tmp_path / "go"
    code = (
        f"import time, pathlib; open({str(mine)!r}, 'w').close()\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\n{ends}"
    )
    opened = []

    def another_measurement():
        wait_until(mine.exists)
        opened.append(others.open("w"))
        go.touch()

    beside = Thread(target=another_measurement)
    beside.start()
    try:
        with pytest.raises(LaunchError):
            launch([sys.executable, "-c", code], "p", 2.0, tmp_path / "log")
        assert not mine.exists()
        assert others.exists()
    finally:
        beside.join()
        opened[0].close()
        for path in (mine, others):
            path.unlink(missing_ok=True)

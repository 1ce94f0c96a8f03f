"""A simulator in its image: the same answers, the same lock, and it dies when it is killed."""

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.images import exec_command, squashfs_sha256
from weft.machine import MachineFile

from tests.patience import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long("images")]

POINT = {
    "point_id": "a" * 12,
    "engine": "flow",
    "seed": 1,
    "topology": {"kind": "torus", "sizes": [4, 4], "ties": "random", "nodes": 16},
    "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 1e-7},
    "workload": {
        "kind": "messages",
        "pattern": "uniform",
        "per_node": 10,
        "outstanding": 2,
        "message_bytes": [1000],
        "include_self": False,
    },
    "options": {"model": "max_min", "tables": ["messages", "links"]},
}


def written(folder, points, image):
    shard = {
        "schema": 1,
        "engine": "flow",
        "engine_version": engine("flow").version(MachineFile(), image.name if image else None),
        "shard": "b" * 12,
        "attempts": {},
        "points": points,
    }
    file = folder / "shard.json"
    file.write_text(json.dumps(shard))
    return file


def run(folder, image):
    folder.mkdir(parents=True)
    file = written(folder, [POINT, {**POINT, "point_id": "c" * 12, "seed": 2}], image)
    run_shard(file, None, image, folder / "out", 2, folder / "run.log")
    return {path.stem: pq.read_table(path).to_pylist() for path in (folder / "out").glob("*.pa*")}


def test_natively_and_in_the_image_every_row_is_the_same(tmp_path, flow_image):
    native, inside = run(tmp_path / "native", None), run(tmp_path / "inside", flow_image)
    for table in ("metrics", "messages", "links"):
        assert native[table], f"{table} is empty"
        key = sorted(native[table][0])
        rows = [
            sorted(tuple(row[name] for name in key) for row in found[table])
            for found in (native, inside)
        ]
        assert rows[0] == rows[1]
    assert {row["engine_version"] for row in native["runs"]} == {
        row["engine_version"] for row in inside["runs"]
    }


def test_runs_say_in_which_image_they_were(tmp_path, flow_image):
    native, inside = run(tmp_path / "native", None), run(tmp_path / "inside", flow_image)
    assert {row["image_sha256"] for row in native["runs"]} == {None}
    assert {row["image_sha256"] for row in inside["runs"]} == {squashfs_sha256(flow_image)}
    assert len(squashfs_sha256(flow_image)) == 64
    environments = [json.loads(row["environment"]) for row in inside["runs"]]
    assert [each["image"] for each in environments] == [flow_image.name] * 2


def test_the_executable_inside_is_named_after_the_same_sources(flow_image):
    command = [*exec_command(flow_image), "weft-flow", "--version"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.split()[1] == engine("flow").version(MachineFile(), None)


def test_results_on_another_disk_are_reached(tmp_path, flow_image, monkeypatch):
    project, disk = tmp_path / "project", tmp_path / "disk"
    project.mkdir()
    disk.mkdir()
    (project / "results").symlink_to(disk)
    monkeypatch.chdir(project)
    assert len(run(project / "results" / "x", flow_image)["runs"]) == 2


LONG = {
    **POINT,
    "topology": {"kind": "torus", "sizes": [32, 32], "ties": "plus", "nodes": 1024},
    "workload": {**POINT["workload"], "per_node": 2000, "outstanding": "all"},
    "options": {"model": "max_min", "tables": []},
}
ALONE = """
import sys
from pathlib import Path
from weft.engines.execute import run_shard
file, image, folder = map(Path, sys.argv[1:])
run_shard(file, None, image, folder, 1, folder / "run.log")
"""


@pytest.fixture
def running(tmp_path, flow_image):
    """A job with a long point, its folder, and the simulator inside."""
    folder = tmp_path / "out"
    file = written(tmp_path, [LONG], flow_image)
    job = subprocess.Popen([sys.executable, "-c", ALONE, file, flow_image, folder])
    try:
        wait_until(lambda: simulators(folder))
        yield job, folder
    finally:
        job.kill()
        job.wait()


def simulators(folder):
    """Processes of `weft-flow` that compute in `folder`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"weft-flow") and str(folder).encode() in words:
            found.append(int(path.parent.name))
    return found


def is_free(path):
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_job_takes_its_simulator_along_and_frees_the_lock(running, how):
    job, folder = running
    assert not is_free(folder / "lock")
    job.send_signal(how)
    job.wait()
    wait_until(lambda: not simulators(folder))
    wait_until(lambda: is_free(folder / "lock"))


def test_a_killed_apptainer_takes_the_simulator_along_and_frees_the_lock(running):
    job, folder = running
    (inner,) = simulators(folder)
    outer = int(Path(f"/proc/{inner}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(outer, signal.SIGKILL)
    assert job.wait() != 0
    wait_until(lambda: not simulators(folder))
    wait_until(lambda: is_free(folder / "lock"))


def test_a_simulator_killed_inside_fails_the_job(running):
    job, folder = running
    os.kill(simulators(folder)[0], signal.SIGKILL)
    assert job.wait() != 0
    wait_until(lambda: is_free(folder / "lock"))

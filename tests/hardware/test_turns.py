"""Two jobs of different experiments on one machine measure one after the other."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from weft.engines import engine
from weft.engines.turns import turn_to_measure
from weft.machine import MachineFile

from tests.hardware.conftest import make_point

HOLDER = """
import sys
from pathlib import Path
from weft.engines.turns import turn_to_measure
from weft.machine import MachineFile
with turn_to_measure(Path(sys.argv[1]), MachineFile()):
    print("measuring", flush=True)
    sys.stdin.read()
"""
JOB = """
import sys
from pathlib import Path
from weft.engines.execute import run_shard
file, folder = map(Path, sys.argv[1:])
run_shard(file, None, None, folder, 1, folder / "run.log")
"""
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}


@pytest.fixture
def measuring(tmp_path):
    """A process that measures in `tmp_path` until its input ends."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], **PIPES) as process:
        assert process.stdout.readline() == "measuring\n"
        yield process


def written(results: Path) -> tuple[Path, Path]:
    """A shard that measures two ranks, and its folder."""
    machine = {"name": "local"}
    shard = {
        "schema": 1,
        "engine": "hardware",
        "engine_version": engine("hardware").version(MachineFile.read(machine), None),
        "shard": "b" * 12,
        "attempts": {},
        "machine": machine,
        "points": [make_point("a" * 12, [8]) | {"network": {}, "topology": {}}],
    }
    file = results / "shard.json"
    file.write_text(json.dumps(shard))
    return file, results / "mine" / "hardware" / "bb"


@pytest.mark.slow
def test_a_job_waits_for_another_measurement_says_so_and_then_measures(tmp_path, measuring):
    file, folder = written(tmp_path)
    command = [sys.executable, "-c", JOB, file, folder]
    with subprocess.Popen(command, **PIPES, stderr=subprocess.PIPE) as job:
        printed = job.stderr.readline()
        assert printed == "waiting for another measurement on this machine to end\n"
        assert not (folder / "journal.jsonl").exists()
        measuring.stdin.close()
        rest = job.stderr.read()
    assert job.returncode == 0, rest
    (line,) = (folder / "journal.jsonl").read_text().splitlines()
    assert json.loads(line)["status"] == "done"


def test_a_job_of_a_batch_system_waits_for_none(tmp_path, measuring):
    with turn_to_measure(tmp_path, MachineFile(launcher="srun")):
        assert measuring.poll() is None
    measuring.stdin.close()

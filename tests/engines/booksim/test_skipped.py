"""Without an executable points are skipped, with the reason."""

import json

import pytest
from weft.engines.base import ShardJob
from weft.engines.booksim.engine import BookSimEngine
from weft.engines.results import write_results
from weft.machine import MachineFile
from weft.tables import read_table

from tests.engines.booksim.points import point, run


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without any booksim."""
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    return {"name": "local"}


def test_every_point_is_a_line_with_the_reason(bare, tmp_path):
    lines = run(tmp_path / "out", bare, [point(), point(name="b")])
    assert [line["status"] for line in lines] == ["skipped", "skipped"]
    reason = (
        "no booksim executable: build BookSim2 (docs/booksim.md), and set machine.booksim_path or"
        " put booksim or booksim2 on the PATH"
    )
    assert lines[0]["error"] == reason


def test_a_path_without_an_executable_is_named(bare, tmp_path):
    machine = {**bare, "booksim_path": str(tmp_path / "gone")}
    assert BookSimEngine(()).version(MachineFile.read(machine), None) == "absent"
    (line,) = run(tmp_path / "out", machine, [point()])
    assert (
        f"machine.booksim_path names {tmp_path / 'gone'}, which is not executable" in line["error"]
    )


def test_what_was_planned_without_an_executable_is_skipped_though_one_has_come(bare, tmp_path):
    path = tmp_path / "booksim"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    (line,) = run(tmp_path / "out", {"booksim_path": str(path)}, [point()], version="absent")
    assert line["status"] == "skipped"


def test_runs_and_status_report_it(bare, tmp_path):
    (line,) = run(tmp_path, bare, [point()])
    shard = {"engine": "booksim", "engine_version": "absent", "attempts": {}, "points": [point()]}
    shard["points"][0]["digest"] = line["digest"]
    machine = MachineFile.read(bare)
    job = ShardJob(shard, tmp_path / "input.json", tmp_path, 1, tmp_path / "run.log", None, machine)
    write_results(job, None)
    assert json.loads((tmp_path / "status.json").read_text())["skipped"] == ["a" * 12]
    assert read_table("nodes", tmp_path / "nodes.parquet").num_rows == 0

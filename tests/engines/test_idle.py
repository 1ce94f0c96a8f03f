"""A shard that an idle node computes: its journal, and nothing that belongs to its own job."""

import errno
import fcntl
import json

import pytest
from weft.engines import engine
from weft.engines.execute import compute_when_idle, run_shard
from weft.engines.jobs import read_jobs
from weft.engines.journal import read_journal
from weft.files import sealed, take_lock
from weft.files.layout import ExperimentFolder
from weft.idle.simulations import simulate
from weft.machine import MachineFile

from tests.engines.test_shards import POINT

ENGINE = {
    "topology": {"kind": "torus", "sizes": [3, 3], "ties": "plus", "nodes": 9},
    "workload": {
        "kind": "messages",
        "pattern": "uniform",
        "per_node": 1,
        "outstanding": 1,
        "message_bytes": [100],
        "include_self": False,
    },
}


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """An experiment with two shards of two points each, planned and not begun."""
    folder = ExperimentFolder(tmp_path / "results" / "x")
    version = engine("flow").version(MachineFile(), None)
    statuses = []
    for number in range(2):
        name = f"{number}" * 12
        points = [
            POINT | ENGINE | {"point_id": f"{2 * number + n:012x}", "seed": n} for n in (1, 2)
        ]
        order = {"schema": 1, "engine": "flow", "engine_version": version, "shard": name}
        path = folder.order(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(sealed(order | {"attempts": {}, "points": points}))
        statuses.append(str(folder.shard("flow", name).status))
    empty = {"calibration": {}, "placement": {}, "ready": {}, "images": {}, "few": {}}
    folder.schedule.write_text(sealed(empty | {"status": statuses}) + "\n")
    return folder


def shard(experiment, number=0):
    return experiment.shard("flow", f"{number}" * 12)


def compute(experiment, number=0):
    left = shard(experiment, number)
    return compute_when_idle(
        experiment.order(left.path.name), None, left.path, threads=1, log=left.log
    )


def test_its_own_job_finds_the_points_finished_and_writes_the_tables(experiment):
    left = shard(experiment)
    assert compute(experiment)
    lines = read_journal(left.journal)
    assert [line["status"] for line in lines] == ["done", "done"]
    assert not left.status.exists()
    assert not left.table("runs").exists()
    run_shard(experiment.order(left.path.name), None, None, left.path, 1, left.log)
    assert read_journal(left.journal) == lines
    assert len(json.loads(left.status.read_text())["done"]) == 2
    mine, own = read_jobs(left.path)
    assert (mine["idle"], mine["outcome"]) == (True, "done")
    assert ("idle" in own, own["points_before"]) == (False, 2)


def test_what_is_finished_is_not_begun_again(experiment):
    assert compute(experiment)
    assert compute(experiment)
    assert len(read_jobs(shard(experiment).path)) == 1


def test_a_shard_whose_job_is_at_work_is_left_to_it(experiment):
    left = shard(experiment)
    left.path.mkdir(parents=True)
    with (left.path / "lock").open("w") as file:
        assert take_lock(file)
        assert not compute(experiment)
        assert not simulate(experiment)
    assert not left.journal.exists()
    # The other one was free.
    assert len(read_journal(shard(experiment, 1).journal)) == 2
    assert simulate(experiment)
    assert len(read_journal(left.journal)) == 2


@pytest.mark.parametrize("key", ["calibration", "placement", "ready"])
def test_shards_that_wait_for_something_and_those_that_have_ended_are_left_out(experiment, key):
    found = json.loads(experiment.schedule.read_text())
    del found["crc32"]
    found[key] = {"0" * 12: "something"}
    experiment.schedule.write_text(sealed(found) + "\n")
    ended = shard(experiment, 1)
    ended.path.mkdir(parents=True)
    ended.status.write_text("{}")
    assert simulate(experiment)
    assert not any(shard(experiment, number).journal.exists() for number in range(2))


def test_a_shard_that_breaks_is_left_to_its_own_job_and_the_others_go_on(experiment, capfd):
    order = experiment.order("1" * 12)
    order.write_text(order.read_text().replace('"schema": 1', '"schema": 7'))
    assert simulate(experiment)
    assert "1" * 12 in capfd.readouterr().err
    assert len(read_journal(shard(experiment).journal)) == 2


def test_nothing_is_computed_where_the_file_system_cannot_lock(experiment, monkeypatch):
    def refuse(file, operation):
        raise OSError(errno.ENOLCK, "no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert not compute(experiment)
    assert not shard(experiment).journal.exists()

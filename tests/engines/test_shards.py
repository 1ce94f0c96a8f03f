"""Shards, journals and results without a simulator."""

import json
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from weft.engines import EngineError, engine
from weft.engines.base import ShardJob
from weft.engines.execute import run_shard
from weft.engines.journal import append, finished, mend, read_journal
from weft.engines.messages import parquet_to_csv
from weft.engines.native import NativeEngine
from weft.engines.results import write_results
from weft.engines.shards import resolve, shard_path, write_shards
from weft.engines.step import step
from weft.files.calibrations import write_calibration
from weft.machine import MachineFile
from weft.plan import Plan, Point, Points, Shard
from weft.plan.outcome import read_outcome, write_outcome
from weft.tables import read_table

POINT = {
    "point_id": "a" * 12,
    "engine": "flow",
    "seed": 1,
    "topology": {"kind": "torus", "sizes": [3, 3], "ties": "plus", "nodes": 9},
    "network": {"bandwidth_bytes_per_s": 1e9, "latency_s": 0.0, "hop_latency_s": 0.0},
    "workload": {"kind": "messages", "message_bytes": [100]},
    "options": {"model": "equal_share", "tables": []},
}


def shard(points, attempts=None, version="1"):
    return {
        "schema": 1,
        "engine": "flow",
        "engine_version": version,
        "shard": "b" * 12,
        "attempts": attempts or {},
        "points": points,
    }


def journal_line(digest, status="done", value=1.5):
    metric = {"metric": "makespan_s", "message_bytes": None, "value": value, "unit": "s"}
    return {
        "point_id": POINT["point_id"],
        "digest": digest,
        "status": status,
        "error": None if status == "done" else "no route",
        "started_at": "2026-01-01T00:00:00.000Z",
        "wall_s": 0.1,
        "cpu_s": 0.1,
        "peak_rss_bytes": 1000,
        "metrics": [metric] if status == "done" else [],
    }


def test_the_limits_of_the_machine_stand_in_the_shard_file_and_in_no_point(tmp_path):
    def written(machine):
        spec = {key: value for key, value in POINT.items() if key != "point_id"}
        point = Point(POINT["point_id"], "flow", 1, 1, spec, {})
        each = Shard("b" * 12, "flow", "1", (point.point_id,))
        folder = tmp_path / str(len(machine))
        plan = Plan("x", "", "", Points.of([point]), (each,), machine=MachineFile.read(machine))
        write_shards(plan, folder, {})
        return json.loads(shard_path(folder, "x", each.shard_id).read_text())

    before = written({"timeout_s": 5.0})
    asked = {"simulation_timeout_s": 7.5, "memory_limit_bytes": 10, "output_limit_bytes": 20}
    after = written(asked)
    assert before["limits"] == {"timeout_s": 3600.0, "output_bytes": 64 << 20}
    assert after["limits"] == {"timeout_s": 7.5, "memory_bytes": 10, "output_bytes": 20}
    assert after["points"] == before["points"]


def test_a_shard_that_has_not_ended_reads_files_where_they_lie_now(tmp_path):
    def ordered(place, ended=False):
        workload = {**POINT["workload"], "file": f"{place}/ring.csv", "file_sha256": "0"}
        spec = {key: value for key, value in POINT.items() if key != "point_id"}
        point = Point("a" * 12, "flow", 0, 1, {**spec, "workload": workload}, {})
        order = Shard("b" * 12, "flow", "1", ("a" * 12,))
        plan = Plan("e", "E", "Q?", Points.of([point]), (order,), MachineFile(), {}, ())
        if ended:
            write_outcome(tmp_path / "e" / "flow" / order.shard_id, {"done": order.point_ids}, None)
        write_shards(plan, tmp_path, {})
        path = shard_path(tmp_path, "e", order.shard_id)
        return json.loads(path.read_text())["points"][0]["workload"]["file"]

    assert ordered("data") == "data/ring.csv"
    assert ordered("moved") == "moved/ring.csv"
    # A newer order would run an ended shard again.
    assert ordered("elsewhere", ended=True) == "moved/ring.csv"


def test_digest_follows_spec_version_and_attempt():
    def digest(content):
        return resolve(content, None)["points"][0]["digest"]

    first = digest(shard([POINT]))
    assert digest(shard([dict(reversed(POINT.items()))])) == first
    others = [
        shard([POINT], version="2"),
        shard([POINT], attempts={POINT["point_id"]: 2}),
        shard([{**POINT, "seed": 2}]),
    ]
    assert len({first, *map(digest, others)}) == 4


def test_calibration_takes_the_place_of_its_name():
    point = {**POINT, "network": {"calibrated_from": "pingpong", "hop_latency_s": 0.0}}
    fitted = {"latency_s": 1e-6, "bandwidth_bytes_per_s": 2e9, "worst_ratio": 1.1}
    network = resolve(shard([point]), fitted)["points"][0]["network"]
    assert network == {"hop_latency_s": 0.0, "latency_s": 1e-6, "bandwidth_bytes_per_s": 2e9}
    with pytest.raises(EngineError, match="needs a calibration"):
        resolve(shard([point]), None)


def test_torn_last_line_is_dropped_and_a_torn_middle_reported(tmp_path):
    path = tmp_path / "journal.jsonl"
    append(path, journal_line("1"))
    with path.open("a") as file:
        file.write('{"point_id": "torn')
    assert finished(path) == {"1"}
    mend(path)
    append(path, journal_line("2"))
    assert finished(path) == {"1", "2"}
    path.write_text("{torn\n" + path.read_text())
    with pytest.raises(EngineError, match=r"journal\.jsonl:1 is damaged"):
        read_journal(path)
    mend(path)
    assert finished(path) == {"1", "2"}


def job(tmp_path, attempts=None):
    resolved = resolve(shard([POINT], attempts), None)
    return ShardJob(resolved, tmp_path / "input.json", tmp_path, 1, tmp_path / "run.log")


def test_journal_becomes_tables_with_a_row_per_attempt(tmp_path):
    first = job(tmp_path).shard["points"][0]["digest"]
    again = job(tmp_path, {POINT["point_id"]: 2})
    append(again.journal, journal_line(first, status="failed"))
    append(again.journal, journal_line(again.shard["points"][0]["digest"]))
    csv = "message_id,src,dst,bytes,start_s,finish_s\n0,1,2,100,0,1e-6\n"
    (tmp_path / f"messages-{POINT['point_id']}.csv").write_text(csv)
    write_results(again, None)
    runs = read_table("runs", tmp_path / "runs.parquet").to_pylist()
    assert [(r["attempt"], r["status"], r["error"]) for r in runs] == [
        (1, "failed", "no route"),
        (2, "done", None),
    ]
    assert read_table("metrics", tmp_path / "metrics.parquet")["value"].to_pylist() == [1.5]
    assert read_table("messages", tmp_path / "messages.parquet")["bytes"].to_pylist() == [100]
    assert read_table("links", tmp_path / "links.parquet").num_rows == 0
    outcome = read_outcome(tmp_path)
    assert (outcome.done, outcome.failed, outcome.skipped) == ((POINT["point_id"],), (), ())
    names = {"runs", "metrics", "messages", "links", *engine("flow").side_tables}
    assert set(outcome.files) == {*(f"{name}.parquet" for name in names), "journal.jsonl"}


def test_a_run_names_the_host_and_image_of_the_job_that_computed_it(tmp_path):
    first = job(tmp_path).shard["points"][0]["digest"]
    again = job(tmp_path, {POINT["point_id"]: 2})
    append(again.journal, journal_line(first, status="failed"))
    append(again.journal, journal_line(again.shard["points"][0]["digest"]))
    history = [
        {"job": "1", "host": "one", "image": "flow-1.sif", "points_before": 0},
        {"job": "2", "host": "killed", "image": None, "points_before": 1},
        {"job": "3", "host": "two", "image": None, "points_before": 1},
    ]
    (tmp_path / "jobs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in history))
    write_results(again, None)
    runs = read_table("runs", tmp_path / "runs.parquet").to_pylist()
    images = [json.loads(run["environment"]).get("image") for run in runs]
    assert [run["host"] for run in runs] == ["one", "two"]
    assert images == ["flow-1.sif", None]


def test_a_point_without_a_journal_line_is_an_error(tmp_path):
    with pytest.raises(EngineError, match="1 points have no result"):
        write_results(job(tmp_path), None)
    assert not (tmp_path / "status.json").exists()


def test_parquet_message_list_becomes_csv(tmp_path):
    table = pa.table({"dst": [1], "src": [0], "bytes": [10], "comment": ["x"]})
    pq.write_table(table, tmp_path / "list.parquet")
    parquet_to_csv(tmp_path / "list.parquet", tmp_path / "list.csv")
    assert (tmp_path / "list.csv").read_text() == '"src","dst","bytes"\n0,1,10\n'
    (tmp_path / "list.parquet").write_bytes(b"PAR1")
    with pytest.raises(EngineError, match="not a readable Parquet file"):
        parquet_to_csv(tmp_path / "list.parquet", tmp_path / "list.csv")


def test_missing_and_broken_simulators_are_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("WEFT_FLOW", str(tmp_path / "absent"))
    with pytest.raises(EngineError, match="is missing: run `make build`"):
        NativeEngine("flow", "crate", ()).describe()
    broken = tmp_path / "weft-flow"
    broken.write_text("#!/bin/sh\necho what\n")
    broken.chmod(0o755)
    monkeypatch.setenv("WEFT_FLOW", str(broken))
    with pytest.raises(EngineError, match="describe` does not work"):
        NativeEngine("flow", "crate", ()).describe()


def test_a_crash_carries_the_last_lines_of_the_log(tmp_path, monkeypatch):
    crashing = tmp_path / "weft-flow"
    crashing.write_text("#!/bin/sh\necho out of luck >&2\nkill -9 $$\n")
    crashing.chmod(0o755)
    monkeypatch.setenv("WEFT_FLOW", str(crashing))
    (tmp_path / "shard.json").write_text(json.dumps(shard([POINT])))
    with pytest.raises(EngineError, match=r"killed by signal 9, .*memory.*\nout of luck"):
        run_shard(tmp_path / "shard.json", None, None, tmp_path / "out", 1, tmp_path / "run.log")


def test_unknown_engine():
    with pytest.raises(EngineError, match="no engine 'flwo'; known are anet, booksim, flow"):
        engine("flwo")


def test_a_full_disk_is_named(tmp_path):
    with pytest.raises(SystemExit), step(tmp_path / "log"):
        raise OSError(28, os.strerror(28), "results/x")
    assert "no space left on device while writing results/x" in (tmp_path / "log").read_text()


def test_ctrl_c_ends_a_job_with_its_own_code_and_a_line_in_the_log(tmp_path):
    with pytest.raises(SystemExit) as ended, step(tmp_path / "log"):
        raise KeyboardInterrupt
    assert ended.value.code == 130
    assert (tmp_path / "log").read_text() == (
        "interrupted: the same command resumes from what is finished\n"
    )


def uncalibrated(tmp_path, problem):
    """A shard of two points, one of which needs a calibration, run with one that has a problem."""
    free = {**POINT, "point_id": "f" * 12}
    point = {**POINT, "network": {"calibrated_from": "pingpong", "hop_latency_s": 0.0}}
    content = shard([point, free]) | {"declared": {"program": "crate"}}
    (tmp_path / "shard.json").write_text(json.dumps(content))
    (tmp_path / "calibration.json").write_text(json.dumps(problem))


def test_points_without_link_parameters_are_skipped_and_the_others_go_on(tmp_path, monkeypatch):
    class Answers(NativeEngine):
        def run(self, job):
            for point in json.loads(job.shard_file.read_text())["points"]:
                append(job.journal, journal_line(point["digest"]) | {"point_id": point["point_id"]})

    found = Answers("flow", "crate", ())
    for module in ("execute", "results"):
        monkeypatch.setattr(f"weft.engines.{module}.shard_engine", lambda _: found)
    uncalibrated(tmp_path, {"problem": "the times do not grow"})
    paths = tmp_path / "shard.json", tmp_path / "calibration.json"
    for _ in range(2):
        run_shard(*paths, None, tmp_path / "out", 1, tmp_path / "run.log")
    status = json.loads((tmp_path / "out" / "status.json").read_text())
    assert (status["skipped"], status["done"]) == (["a" * 12], ["f" * 12])
    rows = {
        row["point_id"]: row
        for row in read_table("runs", tmp_path / "out" / "runs.parquet").to_pylist()
    }
    assert rows["a" * 12]["error"] == "the times do not grow"
    (tmp_path / "calibration.json").write_text('{"latency_s": 1e-6, "bandwidth_bytes_per_s": 1e9}')
    run_shard(*paths, None, tmp_path / "out", 1, tmp_path / "run.log")
    assert json.loads((tmp_path / "out" / "status.json").read_text())["skipped"] == []


def test_a_shard_takes_no_altered_calibration(tmp_path):
    uncalibrated(tmp_path, {})
    path = tmp_path / "calibration.json"
    write_calibration(path, {"latency_s": 1e-06, "bandwidth_bytes_per_s": 1e9})
    path.write_text(path.read_text().replace("1e-06", "1e-07"))
    with pytest.raises(EngineError, match=r"calibration\.json was altered after it was written"):
        run_shard(tmp_path / "shard.json", path, None, tmp_path / "out", 1, tmp_path / "run.log")

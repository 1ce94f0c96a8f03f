"""The report shows what happened to jobs, and where the logs of missing shards are."""

import json

import duckdb
import pyarrow as pa
import pytest
import report_samples
from report_samples import CONFIGS, point, run
from weft.plan import Plan, Points, Shard
from weft.report.pages.build import build_report

pytestmark = pytest.mark.slow

SPEC = {
    "topology": {"kind": "crossbar"},
    "network": {},
    "workload": {"kind": "messages"},
    "options": {},
}
DONE = point("flow", {}, SPEC)
LOST = point("flow", {}, SPEC, 1)


def job(shard="5" * 12, **more):
    row = {"experiment": "x", "engine": "flow", "shard": shard, "attempt": 1, "host": "node1"}
    return {**row, "outcome": "done", "points_before": 0, **more}


@pytest.fixture
def report(tmp_path):
    def built(jobs, finished=("5" * 12, "6" * 12), together=False, **runs):
        both = (DONE.point_id, LOST.point_id)
        shards = tuple(Shard(i * 12, "flow", "1", (p,)) for i, p in zip("56", both, strict=True))
        shards = (Shard("5" * 12, "flow", "1", both),) if together else shards
        plan = Plan("x", "x", "?", Points.of([DONE, LOST]), shards)
        for shard in finished:
            status = tmp_path / f"results/x/flow/{shard}/status.json"
            status.parent.mkdir(parents=True, exist_ok=True)
            status.write_text(json.dumps({"done": [], "failed": []}))
        rows = [{"experiment": "x", **run(DONE, **runs)}]
        database = report_samples.write(tmp_path, [plan], {"runs": rows})
        with duckdb.connect(str(database)) as con:
            con.register("incoming", pa.Table.from_pylist(jobs))
            con.execute("INSERT INTO jobs BY NAME SELECT * FROM incoming")
        build_report(tmp_path / "results/x/plan.json", database, CONFIGS, tmp_path / "x.html")
        return (tmp_path / "x.html").read_text()

    built.folder = tmp_path
    return built


def test_when_all_went_well_a_line_says_so(report):
    text = report([job(), job("6" * 12)])
    assert "2 jobs, none of them interrupted." in text
    assert "What happened" not in text


def test_a_killed_job_and_its_successor_are_reported(report):
    killed = {"outcome": "killed", "slurm_state": "OUT_OF_MEMORY", "slurm_nodes": "node2"}
    text = report(
        [job(**killed, slurm_job_id="17"), job(attempt=2, points_before=40, slurm_job_id="18")]
    )
    assert "killed: OUT_OF_MEMORY on node2 (Slurm job 17)" in text
    assert "resumed with 40 points done<br>finished on node1 (Slurm job 18)" in text


def test_a_job_cancelled_while_it_waited_is_reported(report):
    lost = {"outcome": "lost", "slurm_state": "CANCELLED", "slurm_job_id": "17", "host": None}
    text = report([job(**lost), job(attempt=2)])
    assert "ended before it began: CANCELLED (Slurm job 17)<br>finished on node1" in text


def test_a_shard_without_a_result_shows_the_end_of_its_log(report):
    log = report.folder / "results/x/flow" / ("6" * 12) / "run.log"
    log.parent.mkdir(parents=True)
    log.write_text("no <memory> left\n")
    text = report([job("6" * 12, outcome="failed", detail="exit code 1")], finished=["5" * 12])
    assert "1 shard has no result." in text
    assert f"results/x/flow/{'6' * 12}/run.log" in text
    assert "no &lt;memory&gt; left" in text
    assert "failed on node1: exit code 1" in text


def test_a_failed_point_shows_its_own_lines_and_the_path_of_the_log(report):
    text = report([job()], status="failed", error="too slow", log="line one\nline two")
    assert "line one\nline two</pre>" in text
    assert f"results/x/flow/{'5' * 12}/run.log" in text


def test_failed_points_name_the_sizes_that_are_their_difference(tmp_path):
    points = [
        point("rdma", {}, {**SPEC, "workload": {"kind": "program", "message_bytes": sizes}})
        for sizes in ([8], [1024, 65536])
    ]
    plan = report_samples.make_plan("x", points, [])
    rows = [{"experiment": "x", **run(each, "failed", error="no")} for each in points]
    database = report_samples.write(tmp_path, [plan], {"runs": rows})
    build_report(tmp_path / "results/x/plan.json", database, CONFIGS, tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text()
    assert "at message size = 8 B <code>" in text
    assert "at message size = 1 KiB, 64 KiB <code>" in text


def test_a_long_log_of_a_failed_point_is_text_and_no_path(report):
    log = "\n".join(f"line {i}: {'x' * 60}" for i in range(40))
    text = report([job()], status="failed", error="too slow", log=log)
    assert f"line 39: {'x' * 60}</pre>" in text
    assert "line 20:" in text
    assert "line 19:" not in text


def test_a_failed_point_without_lines_of_its_own_shows_the_end_of_the_shards_log(report):
    log = report.folder / "results/x/flow" / ("5" * 12) / "run.log"
    log.parent.mkdir(parents=True)
    log.write_text("no more room\n")
    text = report([job()], status="failed", error="exit code 1", log=None)
    assert "no more room</pre>" in text


def test_a_log_of_several_points_is_named_and_not_shown_as_that_of_one(report):
    log = report.folder / "results/x/flow" / ("5" * 12) / "run.log"
    log.parent.mkdir(parents=True)
    log.write_text("said by the other point\n")
    text = report([job()], ["5" * 12], True, status="failed", error="a reason", log=None)
    assert "said by the other point" not in text
    assert f"Log of all 2 points of the job: <code>results/x/flow/{'5' * 12}/run.log" in text


def test_a_binding_problem_stands_below_the_answer(report):
    text = report([job()], environment=json.dumps({"binding_problem": "2 ranks on one core"}))
    figures = text.index("<h2>Answer</h2>")
    assert text.index("not bound as requested – flow: 2 ranks on one core") > figures


def test_what_a_simulator_said_of_a_program_stands_below_the_answer_and_nowhere_else(report):
    environment = {"notes": ["the program asked for <threads>", "ranks share strtok"]}
    text = report([job()], environment=json.dumps(environment))
    assert text.count("Note of flow: the program asked for &lt;threads&gt;") == 1
    assert text.count("ranks share strtok") == 1


def test_of_many_notes_the_page_counts_those_that_the_logs_alone_hold(report):
    environment = {"notes": [f"note {number}" for number in range(8)]}
    text = report([job()], environment=json.dumps(environment))
    assert "The logs hold 3 more notes." in text


def test_nodes_of_all_ranks_are_named_and_variables_keep_their_names(report):
    environment = {"hosts": ["node1", "node7"], "fabric_variables": {"UCX_TLS": "rc"}}
    text = report([job()], host="node1", environment=json.dumps(environment))
    assert "node7" in text
    assert "UCX_TLS rc" in text

"""The engine: journal, resume, and every way a measurement goes wrong."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from weft.analysis.pingpongs import METRICS
from weft.engines.base import EngineError
from weft.engines.hardware.engine import SOURCES, HardwareEngine

from tests.hardware.conftest import make_point
from tests.patience import wait_until

pytestmark = pytest.mark.slow

CRASH = """
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    fprintf(stderr, "about to fall over\\n");
    raise(SIGSEGV);
}
"""
EXIT_7 = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    fprintf(stderr, "cannot go on\\n");
    MPI_Finalize();
    return 7;
}
"""
HANG = """
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    fprintf(stderr, "waiting for nothing\\n");
    MPI_Init(&argc, &argv);
    for (;;) pause();
}
"""
STUCK_AT_THE_END = """
#include "mgen.h"
#include <unistd.h>
int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    return 0;
}
int MPI_Finalize(void) {
    alarm(1);
    pause();
    return 0;
}
"""
SILENT = """
#include "mgen.h"
#include <unistd.h>
int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MPI_Finalize();
    _exit(0);
}
"""


def journal(job):
    return [json.loads(line) for line in job.journal.read_text().splitlines()]


def failure(engine, job):
    engine.run(job)
    (line,) = journal(job)
    assert line["status"] == "failed"
    assert line["metrics"] == []
    return line


def test_measures_points_and_keeps_samples(make_job):
    job = make_job([make_point("a", [0, 64]), make_point("b", [8], "alltoall")])
    HardwareEngine().run(job)
    first, second = journal(job)
    assert [first["status"], second["status"]] == ["done", "done"]
    assert {(m["metric"], m["message_bytes"]) for m in first["metrics"]} == {
        (metric, size) for metric in ("program_time_s", *METRICS.values()) for size in (0, 64)
    }
    assert {m["metric"] for m in second["metrics"]} == {
        "program_time_s",
        "collective_time_s",
        "pairwise_time_s",
    }
    assert first["wall_s"] > 0
    assert first["peak_rss_bytes"] > 1e6
    assert first["environment"]["oversubscribed"] is (len(os.sched_getaffinity(0)) < 2)
    with (job.directory / "samples-a.csv").open() as file:
        rows = list(csv.DictReader(file))
    # More where the machine was busy, and sizes were measured again.
    assert len(rows) >= 4 * 2 * 20
    assert sorted(path.name for path in job.directory.iterdir()) == [
        "journal.jsonl",
        "samples-a.csv",
        "samples-b.csv",
    ]


def test_measures_only_what_the_journal_lacks(make_job):
    engine = HardwareEngine()
    engine.run(make_job([make_point("a", [8])]))
    job = make_job([make_point("a", [8]), make_point("b", [8])])
    with job.journal.open("a") as file:
        file.write('{"point_id": "b", "digest": "digest-b", "stat')
    before = (job.directory / "samples-a.csv").stat().st_mtime_ns
    engine.run(job)
    engine.run(job)
    assert [line["point_id"] for line in journal(job)] == ["a", "b"]
    assert (job.directory / "samples-a.csv").stat().st_mtime_ns == before


def test_a_changed_digest_is_measured_again(make_job):
    engine = HardwareEngine()
    engine.run(make_job([make_point("a", [8])]))
    job = make_job([make_point("a", [8]) | {"digest": "other"}])
    engine.run(job)
    assert [line["digest"] for line in journal(job)] == ["digest-a", "other"]


def test_resumes_after_a_kill_in_the_middle(make_job, tmp_path):
    slow = make_point("b", [8])
    slow["options"] = {"repetitions": 20_000_000, "budget_s": 6000, "min_repetitions": 1}
    job = make_job([make_point("a", [8]), slow])
    script = tmp_path / "killed.py"
    script.write_text(
        "import json, pathlib, sys\n"
        "from weft.engines.base import ShardJob\n"
        "from weft.engines.hardware.engine import HardwareEngine\n"
        "from weft.machine import MachineFile\n"
        "out = pathlib.Path(sys.argv[1])\n"
        "shard = json.loads(sys.stdin.read())\n"
        "machine = MachineFile()\n"
        "HardwareEngine().run(ShardJob(shard, out, out, 1, out / 'log', machine=machine))\n"
    )
    process = subprocess.Popen(
        [sys.executable, script, job.directory],
        stdin=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(SOURCES.parent / "workflow")},
    )
    process.stdin.write(json.dumps(dict(job.shard)))
    process.stdin.close()
    wait_until((job.directory / "output-b.log").exists)
    orphans = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.wait()
    for orphan in orphans:
        with suppress(psutil.NoSuchProcess):
            orphan.kill()
    assert [(line["point_id"], line["status"]) for line in journal(job)] == [("a", "done")]
    before = job.journal.read_text()

    HardwareEngine().run(make_job([make_point("a", [8]), make_point("b", [8])]))
    assert job.journal.read_text().startswith(before)
    assert [line["point_id"] for line in journal(job)] == ["a", "b"]


def test_no_mpiexec_is_a_failed_point_that_says_what_to_do(make_job, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    line = failure(HardwareEngine(), make_job([make_point("a", [8])]))
    assert line["error"].startswith("no mpicc found here: run 'make env'")


def test_a_named_mpiexec_that_does_not_exist(make_job):
    job = make_job([make_point("a", [8])], launcher="/nowhere/mpiexec")
    line = failure(HardwareEngine(), job)
    assert "names '/nowhere/mpiexec', which is not an executable here" in line["error"]


def test_a_crash_names_the_signal_and_keeps_the_last_lines(make_job, engine_of):
    line = failure(engine_of(CRASH), make_job([make_point("a", [8])]))
    assert line["error"] == "pingpong was killed by signal 11 (SIGSEGV)"
    assert "about to fall over" in line["log"]


def test_a_crash_does_not_stop_the_points_after_it(make_job, engine_of):
    job = make_job([make_point("a", [8]), make_point("b", [8], "alltoall")])
    engine_of(CRASH).run(job)
    assert [line["status"] for line in journal(job)] == ["failed", "done"]


def test_an_exit_code_is_named(make_job, engine_of):
    line = failure(engine_of(EXIT_7), make_job([make_point("a", [8])]))
    assert line["error"] == "pingpong ended with exit code 7"
    assert "cannot go on" in line["log"]


def test_a_hang_is_stopped_with_everything_it_started(make_job, engine_of, tmp_path):
    line = failure(engine_of(HANG), make_job([make_point("a", [8])], timeout_s=10))
    assert line["error"] == "pingpong did not end within 10 s and was stopped"
    assert "waiting for nothing" in line["log"]

    def running():
        return [process.info["exe"] or "" for process in psutil.process_iter(["exe"])]

    wait_until(lambda: not any(str(tmp_path) in program for program in running()))


def test_a_program_that_is_stuck_at_its_end_has_measured(make_job, engine_of):
    job = make_job([make_point("a", [8])])
    engine_of(STUCK_AT_THE_END).run(job)
    (line,) = journal(job)
    assert line["status"] == "done"
    assert line["environment"]["ending_problem"] == "pingpong was killed by signal 14 (SIGALRM)"
    assert line["wall_s"] > 1


def test_a_program_without_output(make_job, engine_of):
    line = failure(engine_of(SILENT), make_job([make_point("a", [8])]))
    assert line["error"].startswith("pingpong left no usable output")


def test_a_program_that_does_not_compile(make_job, engine_of):
    wrong = "int main(void) {\n    return x;\n}\n"
    line = failure(engine_of(wrong), make_job([make_point("a", [8])]))
    assert re.match(
        r"the program /\S+/programs/pingpong\.c does not compile: "
        r"/\S+/programs/pingpong\.c:2:12: error: .x. undeclared",
        line["error"],
    )
    assert "undeclared" in line["log"]


def test_an_unknown_program(make_job):
    line = failure(HardwareEngine(), make_job([make_point("a", [8], "pingpang")]))
    assert line["error"].startswith(
        "no program 'pingpang' to measure with: there is no file programs/pingpang.c; programs of "
        "weft are allgather, allreduce, allreduce_recursive_doubling, "
    )


def test_the_version_follows_the_runner_and_its_library_but_no_program(engine_of, tmp_path):
    engine = engine_of(CRASH)
    before = engine.describe()["version"]
    assert engine_of(HANG).describe()["version"] == before
    for name in ("hardware/measure.c", "programs/lib/barrier.c", "programs/include/mgen.h"):
        with (tmp_path / "project" / name).open("a") as file:
            file.write("int changed;\n")
        after = engine.describe()["version"]
        assert after != before
        before = after


def test_missing_sources_break_the_engine(tmp_path: Path):
    with pytest.raises(EngineError, match="does not hold the runners"):
        HardwareEngine(tmp_path).describe()


def test_binding_follows_the_machine_file(make_job):
    job = make_job([make_point("a", [8])], bind="core", oversubscribe=False)
    HardwareEngine().run(job)
    (line,) = journal(job)
    assert line["status"] == "done"
    assert "--bind-to core" in line["environment"]["command"]
    first, second = line["environment"]["cpus"]
    assert first != second


def test_more_ranks_than_the_machine_file_allows(make_job):
    point = make_point("a", [8], "alltoall")
    point["workload"]["ranks"] = len(os.sched_getaffinity(0)) + 1
    line = failure(HardwareEngine(), make_job([point], oversubscribe=False))
    assert "oversubscribe" in line["error"]


def test_failed_points_are_reported_on_the_terminal_and_in_the_log(make_job, tmp_path, capsys):
    job = make_job([make_point("a", [8]), make_point("b", [8])], mpicc=str(tmp_path / "lost"))
    HardwareEngine().run(job)
    printed = capsys.readouterr().err
    assert f"2 of 2 points of {job.directory} failed, the first is a: the machine file" in printed
    assert str(job.log) in printed
    assert "2 of 2 points" in job.log.read_text()

"""Computing that is measured once in the simulator, then used by every point."""

import json
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
from weft.engines import engine
from weft.engines.computing_quality import Disturbance
from weft.engines.execute import run_shard
from weft.engines.hardware.machine_load import MachineLoad
from weft.files.layout import ExperimentFolder
from weft.machine import MachineFile
from weft.plan import expand
from weft.tables.traces import write_trace

from tests.config.conftest import SHIPPED, tree

__all__ = ["tree"]
#: Works, adds up, works, and says what it got.
WORK = """
#include "mgen.h"
#include <stdlib.h>
static volatile double kept;

int MGEN_Main(int argc, char **argv) {
    int rank, sum;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    for (int i = 0; i < 200000 * (rank + 1); i++)
        kept += i;
    MGEN_Allreduce(&rank, &sum, 1, MGEN_INT, MGEN_SUM, MGEN_COMM_WORLD);
    for (int i = 0; i < 100000; i++)
        kept += i;
    return sum == 1 ? 0 : FAILS;
}
"""
HEAD = "engines: [flow, rdma]\nengine: {flow: {compute: measured}, rdma: {compute: measured}}\n"


@pytest.fixture(autouse=True)
def programs(tree, monkeypatch):
    """A project with its configuration and a program, as working folder."""
    tree.write("experiment/work.c", WORK.replace("FAILS", "1"))
    tree.write("experiment/fails.c", WORK.replace("sum == 1 ? 0 : FAILS", "7"))
    tree.write("workload/uniform.yaml", "kind: program\nprogram: work\nranks: 2\n")
    monkeypatch.chdir(tree.root)


def specs(tree, body=HEAD):
    tree.experiment(body)
    return [point.spec for point in expand(tree.load())]


def run(experiment, name, points, shard="b" * 12, attempt=1, machine=None):
    """The tables of one shard of an experiment's folder."""
    used = engine(name)
    order = {
        "schema": 1,
        "engine": name,
        "engine_version": used.version(MachineFile(), None),
        "shard": shard,
        "attempts": {f"{i:012x}": attempt for i in range(len(points)) if attempt > 1},
        "machine": machine or {},
        "points": [
            {"point_id": f"{i:012x}", **spec}
            for i, spec in enumerate(points)
            if spec["engine"] == name
        ],
    }
    left = experiment.shard(name, shard)
    experiment.order(shard).parent.mkdir(parents=True, exist_ok=True)
    experiment.order(shard).write_text(json.dumps(order))
    run_shard(experiment.order(shard), None, None, left.path, 2, left.log)
    return {path.stem: pq.read_table(path).to_pylist() for path in left.path.glob("*.parquet")}


def times(tables):
    assert [row["error"] for row in tables["runs"]] == [None] * len(tables["runs"])
    return [row["value"] for row in tables["metrics"] if row["metric"] == "program_time_s"]


def noted(tables):
    return [json.loads(row["environment"])["computing"] for row in tables["runs"]]


def test_one_measurement_serves_every_engine_and_network(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    points = specs(tree, HEAD + "sweep: {network.bandwidth: [1 GB/s, 4 GB/s]}\n")
    flow, rdma = (run(mine, name, points) for name in ("flow", "rdma"))
    (first, *others) = [*noted(flow), *noted(rdma)]
    assert len(others) == 3
    assert all(each == first for each in others)
    assert (first["program"], first["ranks"], first["engine"]) == ("work", 2, "flow")
    (file,) = mine.computing.glob("*.times")
    assert file.name == first["file"]
    # The slower rank has 500,000 turns, and no network takes a millisecond for 4 bytes.
    all_times = [*times(flow), *times(rdma)]
    assert max(all_times) - min(all_times) < 1e-4 < min(all_times)


def test_the_same_measurement_gives_the_same_numbers(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    points = specs(tree)
    first = times(run(mine, "rdma", points))
    assert times(run(mine, "rdma", points, "c" * 12)) == first
    for path in mine.computing.iterdir():
        path.unlink()
    # No two measurements are equal to the nanosecond: this one is another.
    assert times(run(mine, "rdma", points, "d" * 12)) != first


def test_a_factor_scales_to_another_machine(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    body = HEAD + "sweep: {engine.flow.compute_factor: [1, 10]}\n"
    one, ten = times(run(mine, "flow", specs(tree, body)))
    assert ten == pytest.approx(10 * one, rel=0.01)


@pytest.fixture
def disturbances(monkeypatch):
    """Shares of the time for which goes have no processor, in their order."""
    shares: list[float] = []

    def of(*_):
        return Disturbance(shares.pop(0), 0.0, 9.0, 2)

    monkeypatch.setattr(Disturbance, "of", of)
    return shares


def test_a_busy_machine_is_measured_again_and_the_quietest_go_counts(tree, tmp_path, disturbances):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    disturbances += [0.5, 0.2, 0.01]
    tables = run(mine, "flow", specs(tree))
    (known,) = noted(tables)
    assert (len(known["computed_s"]), known["waiting_share"], known["flag"]) == (3, 0.01, None)
    assert {row["flag"] for name in ("runs", "metrics") for row in tables[name]} == {None}
    assert disturbances == []


def test_times_of_a_busy_machine_flag_every_answer_until_they_are_measured_anew(
    tree, tmp_path, disturbances
):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    disturbances += [0.5, 0.4, 0.6]
    tables = run(mine, "flow", specs(tree))
    (known,) = noted(tables)
    low, high = min(known["computed_s"]), max(known["computed_s"])
    flag = (
        "measuring its computing had no processor for 40% of the time; load average 9 on 2 "
        f"processors; 3 goes found {low:.3g} s to {high:.3g} s of computing"
    )
    assert {row["flag"] for name in ("runs", "metrics") for row in tables[name]} == {flag}
    status = json.loads(mine.shard("flow", "b" * 12).status.read_text())
    assert len(status["flagged"]) == 1
    # Another engine takes the same times, and has the same flag.
    assert {row["flag"] for row in run(mine, "rdma", specs(tree))["metrics"]} == {flag}
    # Another attempt, `retry_flagged=true`, measures once for all of them.
    disturbances += [0.0]
    again = [run(mine, name, specs(tree), "c" * 12, attempt=2) for name in ("flow", "rdma")]
    last = [row for tables in again for row in tables["metrics"]]
    assert {row["flag"] for row in last} == {None}
    assert disturbances == []


def test_no_further_go_begins_where_one_takes_too_long(tree, tmp_path, disturbances):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    disturbances += [0.5]
    (known,) = noted(run(mine, "flow", specs(tree), machine={"timeout_s": 1e-6}))
    assert len(known["computed_s"]) == 1


@pytest.mark.alone
@pytest.mark.slow
def test_busy_loops_beside_it_flag_a_measurement(tree, tmp_path):
    """Two loops for each processor, while the program is measured."""
    spin = [sys.executable, "-c", "while True: pass"]
    mine = ExperimentFolder(tmp_path / "results" / "e")
    work = WORK.replace("200000", "8000000").replace("FAILS", "1")
    tree.write("experiment/work.c", work)
    loops = [subprocess.Popen(spin) for _ in range(2 * len(os.sched_getaffinity(0)))]
    try:
        tables = run(mine, "flow", specs(tree))
    finally:
        for each in loops:
            each.kill()
            each.wait()
    (known,) = noted(tables)
    assert len(known["computed_s"]) == 3
    assert known["waiting_share"] > 0.2
    assert "had no processor for " in tables["metrics"][0]["flag"]


def test_only_a_busy_machine_takes_the_processor_from_a_program():
    """Ten seconds of a machine, in hundredths of a second."""
    ticks = 1000 * os.cpu_count()
    before = MachineLoad(0.0, 0, 0, 0)
    sleeps = Disturbance.of(10.0, 1.5, before, MachineLoad(0.0, ticks, 0, 900))
    assert sleeps.flag is None
    waits = Disturbance.of(10.0, 1.5, before, MachineLoad(0.0, ticks, 0, 0))
    assert "had no processor for 85% of the time" in waits.flag
    stolen = Disturbance.of(10.0, 10.0, before, MachineLoad(0.0, ticks, ticks // 10, 0))
    assert "lost 10% of the processors to other machines" in stolen.flag
    assert Disturbance.of(0.06, 0.02, before, MachineLoad(0.0, 12, 0, 0)).flag is None


@pytest.mark.parametrize("damaged", ["*.times", "*.json"])
def test_what_is_damaged_is_named_and_measured_anew(tree, tmp_path, capfd, damaged):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    (first,) = noted(run(mine, "flow", specs(tree)))
    (file,) = mine.computing.glob(damaged)
    file.write_bytes(file.read_bytes()[:-3] + b"\1")
    (second,) = noted(run(mine, "rdma", specs(tree)))
    assert second["sha256"] != first["sha256"]
    assert (
        ".times is damaged: the computing of work is measured anew; points"
        in capfd.readouterr().err
    )
    assert noted(run(mine, "flow", specs(tree), "c" * 12)) == [second]


def test_points_that_are_done_need_no_times(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    before = times(run(mine, "flow", specs(tree)))
    for file in mine.computing.glob("*.times"):
        file.write_bytes(b"damaged")
    assert times(run(mine, "flow", specs(tree))) == before


def test_a_program_that_fails_meanwhile_fails_with_its_reason(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    points = specs(tree, HEAD + "workload: {program: fails}\n")
    (row,) = run(mine, "flow", points)["runs"]
    assert row["status"] == "failed"
    assert row["error"].startswith("its computing could not be measured: rank ")
    assert "ended with code 7" in row["error"]
    assert not list(mine.computing.glob("*.times"))


def test_another_program_or_argument_is_measured_anew(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    for arguments in ("[]", "[5]"):
        run(mine, "flow", specs(tree, HEAD + f"workload: {{arguments: {arguments}}}\n"),
            f"{len(arguments):012x}")  # fmt: skip
    assert len(list(mine.computing.glob("*.times"))) == 2


def test_sampled_loops_have_times_of_their_own(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    points = specs(tree, HEAD + "sweep: {engine.flow.compute: [measured, sampled]}\n")
    kinds = [known["compute"] for known in noted(run(mine, "flow", points))]
    assert kinds == ["measured", "sampled"]
    assert len(list(mine.computing.glob("*.times"))) == 2


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        ("engines: [flow]\nengine: {flow: {compute: guessed}}\n", "engine.flow.compute",
         "declared, measured, sampled, scaled"),
        ("engines: [flow]\nengine: {flow: {compute: measured, compute_factor: 0}}\n",
         "engine.flow.compute_factor", "greater than 0"),
        ("engines: [flow]\nengine: {flow: {compute: measured, compute_factor: .nan}}\n",
         "engine.flow.compute_factor", ""),
        ("engines: [flow]\nengine: {flow: {compute_factor: 2}}\n",
         "engine.flow.compute_factor", "compute_factor multiplies measured times"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_key(tree, body, key, words):
    tree.refuses(body, key, words)


def test_a_trace_is_not_measured_again(tree):
    rows = [{"rank": 0, "call": "Barrier"}, {"rank": 1, "call": "Barrier"}]
    write_trace(tree.root / "x.weft-trace", 2, rows)
    (tree.root / "programs" / "replay").symlink_to(SHIPPED.parent / "programs" / "replay")
    tree.write("workload/uniform.yaml", "kind: trace\nfile: x.weft-trace\n")
    body = "engines: [flow]\nengine: {flow: {compute: measured}}\n"
    tree.refuses(body, "engine.flow.compute", "a trace says how long its ranks compute")


def test_an_archive_holds_what_was_measured(tree, tmp_path):
    mine = ExperimentFolder(tmp_path / "results" / "e")
    run(mine, "flow", specs(tree))
    assert {path.suffix for path in mine.measured_computing()} == {".times", ".json"}

"""How runs end. The executables here are scripts that only end in one way or the other."""

import os

import pytest
from weft.engines import EngineError
from weft.engines.booksim.engine import BookSimEngine
from weft.machine import MachineFile

from tests.engines.booksim import golden
from tests.engines.booksim.points import MESH, TRAFFIC, point, run
from tests.patience import PATIENCE_S


@pytest.fixture
def script(tmp_path):
    """An executable made of shell lines; `$1` is the configuration."""

    def make(lines):
        path = tmp_path / "booksim"
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(0o755)
        return {"name": "local", "booksim_path": str(path)}

    return make


@pytest.fixture
def printing(tmp_path, script):
    """An executable that prints `text` and ends as BookSim2 does after a good run."""

    def make(text):
        (tmp_path / "text").write_text(text)
        return script(f"cat {tmp_path / 'text'}; exit 255")

    return make


def asked(**more):
    return point(warmup_cycles=1000, measure_cycles=3000, **more)


def test_a_good_run_is_done_though_its_exit_code_is_255(tmp_path, printing):
    (line,) = run(tmp_path / "out", printing(golden.steady()), [asked()])
    assert (line["status"], line["error"]) == ("done", None)
    assert {row["metric"] for row in line["metrics"]} > {"accepted_rate", "hops_mean"}
    assert line["cpu_s"] >= 0
    assert line["peak_rss_bytes"] > 100_000


def test_configuration_and_output_stay_beside_the_journal(tmp_path, printing):
    run(tmp_path / "out", printing(golden.steady()), [asked()])
    stem = f"booksim-{'a' * 12}"
    assert "topology = mesh;" in (tmp_path / "out" / f"{stem}.cfg").read_text()
    assert (tmp_path / "out" / f"{stem}.log").read_text() == golden.steady()


def test_each_message_size_is_a_run_of_its_own(tmp_path, printing):
    sizes = {**TRAFFIC, "message_bytes": [64, 256]}
    several = point(MESH, sizes, warmup_cycles=1000, measure_cycles=3000)
    (line,) = run(tmp_path / "out", printing(golden.steady()), [several])
    rates = [r["message_bytes"] for r in line["metrics"] if r["metric"] == "accepted_rate"]
    assert rates == [64, 256]
    assert (tmp_path / "out" / f"booksim-{'a' * 12}-64.log").exists()


def test_the_table_of_nodes_is_written_where_asked_for(tmp_path, printing):
    run(tmp_path / "out", printing(golden.steady()), [asked(tables=["nodes"])])
    text = (tmp_path / "out" / f"nodes-{'a' * 12}.csv").read_text()
    assert text == "node,injected_rate,accepted_rate\n0,0.25,0.31\n1,0.15,0.15\n"


@pytest.fixture
def in_two(tmp_path, script):
    """An executable that prints one text while it waits for packets, and another without."""

    def make(waiting, arrived):
        for name, text in [("waiting", waiting), ("throughput", arrived)]:
            (tmp_path / name).write_text(text)
        return script(
            f"grep -q throughput $1 && cat {tmp_path}/throughput || cat {tmp_path}/waiting"
        )

    return make


def values(line):
    return {row["metric"]: row["value"] for row in line["metrics"]}


SLOW = golden.steady().replace("flit rate average = 0.198", "flit rate average = 0.1")


@pytest.mark.parametrize("waiting", [golden.ABORTED, golden.steady(cycles=200_000)])
def test_a_saturated_run_is_repeated_with_the_packets_that_arrive(tmp_path, in_two, waiting):
    (line,) = run(tmp_path / "out", in_two(waiting, SLOW), [asked()])
    found = values(line)
    assert (found["saturated"], found["accepted_rate"]) == (1.0, 0.1)
    assert "packet_latency_mean_cycles" not in found
    assert (tmp_path / "out" / f"booksim-{'a' * 12}-arrived.log").read_text() == SLOW


def test_a_run_that_never_gets_warm_is_repeated_without_latencies(tmp_path, in_two):
    machine = in_two(golden.UNSTEADY, golden.steady())
    (line,) = run(tmp_path / "out", machine, [asked()])
    assert values(line)["saturated"] == 0
    assert "packet_latency_mean_cycles" not in values(line)


def test_rates_that_never_settle_are_a_failed_point(tmp_path, printing):
    (line,) = run(tmp_path / "out", printing(golden.UNSTEADY), [asked()])
    assert line["status"] == "failed"
    assert "did not finish its warm-up" in line["error"]


ENDINGS = [
    ("echo out of luck; kill -6 $$", "killed by signal 6", "out of luck"),
    ("echo 'Error in router_0 : no'; exit 255", "ended without statistics", "Error in router_0"),
    ("true", "ended without statistics", ""),
    ("head -c 3000 /dev/zero | tr '\\0' x; exit 0", "ended without statistics", "xxx"),
    (
        "echo begun; sleep 6000",
        "stopped after 5 s; to allow more, raise machine.booksim_timeout",
        "begun",
    ),
    (
        "echo 'WARNING: Possible network deadlock.'; sleep 6000",
        "found a deadlock",
        "Possible network deadlock",
    ),
]


TOO_MUCH = [
    # It ends by itself: without the limit the test fails, and does not fill the disk.
    (
        "yes | head -c 8000000; sleep 6000",
        {"output_limit_bytes": 1 << 20, "simulation_timeout_s": PATIENCE_S},
        "prints more than 1048576 B; to allow more, raise machine.output_limit",
    ),
    (
        "sleep 6000",
        {"memory_limit_bytes": 1000},
        "uses more than 1000 B of memory; to allow more, raise machine.memory_l",
    ),
    ("sleep 6000", {"simulation_timeout_s": 0.3}, "stopped after 0.3 s"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "limits", "error"), TOO_MUCH)
def test_a_run_that_takes_more_than_it_may_is_a_failed_point(
    tmp_path, script, lines, limits, error
):
    (line,) = run(tmp_path / "out", {**script(lines), **limits}, [asked()])
    assert line["status"] == "failed"
    assert error in line["error"]


@pytest.mark.parametrize(("lines", "error", "log"), ENDINGS)
def test_other_endings_are_failed_points_with_the_last_lines(tmp_path, script, lines, error, log):
    limit_s = 5.0 if "begun" in lines else 600.0
    machine = {**script(lines), "booksim_timeout_s": limit_s}
    (line,) = run(tmp_path / "out", machine, [asked()])
    assert line["status"] == "failed"
    assert error in line["error"]
    assert log in line["log"]
    assert max(map(len, line["log"].splitlines()), default=0) <= 200


def test_an_executable_that_cannot_start_is_a_failed_point(tmp_path):
    path = tmp_path / "booksim"
    path.write_bytes(b"\x7fELF nothing")
    path.chmod(0o755)
    (line,) = run(tmp_path / "out", {"booksim_path": str(path)}, [asked()])
    assert line["status"] == "failed"
    assert "does not start" in line["error"]


def test_an_inexpressible_point_fails_and_the_others_go_on(tmp_path, printing):
    wrong = point(MESH, {**TRAFFIC, "message_bytes": [4096]}, name="b")
    lines = run(tmp_path / "out", printing(golden.steady()), [wrong, asked()])
    by_point = {line["point_id"][0]: line for line in lines}
    assert by_point["b"]["status"] == "failed"
    assert "single packets" in by_point["b"]["error"]
    assert by_point["a"]["status"] == "done"


def test_finished_points_are_not_run_again(tmp_path, script):
    machine = script(f"echo run >> {tmp_path / 'runs'}; echo nonsense")
    run(tmp_path / "out", machine, [asked()])
    again = run(tmp_path / "out", machine, [asked(), asked(name="b")])
    assert len(again) == 2
    assert (tmp_path / "runs").read_text() == "run\nrun\n"


def test_points_run_side_by_side(tmp_path, script):
    # Each waits for the other.
    others = f"$(ls {tmp_path} | grep -c '^[0-9]')"
    machine = script(f"touch {tmp_path}/$$; while [ {others} -lt 2 ]; do sleep 0.01; done")
    limit = {**machine, "booksim_timeout_s": PATIENCE_S}
    lines = run(tmp_path / "out", limit, [asked(), asked(name="b")], threads=2)
    assert all("without statistics" in line["error"] for line in lines)


def test_another_executable_than_the_planned_one_does_not_run(tmp_path, script):
    with pytest.raises(EngineError, match=r"version \w{12}\+\w{12}, the plan was made for 0{12}"):
        run(tmp_path / "out", script("true"), [asked()], version="0" * 12)


def test_the_version_follows_the_executable_and_its_place_does_not_matter(tmp_path, monkeypatch):
    engine, folder = BookSimEngine(()), tmp_path / "bin"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    folder.mkdir()
    (tmp_path / "other").mkdir()
    for path, text in [(folder / "booksim2", "one"), (tmp_path / "other" / "x", "one")]:
        path.write_text(text)
        path.chmod(0o755)
    found = engine.version(MachineFile(), None)
    assert engine.version(MachineFile(booksim_path=str(tmp_path / "other" / "x")), None) == found
    (folder / "booksim2").write_text("two")
    assert engine.version(MachineFile(), None) != found

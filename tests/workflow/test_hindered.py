"""Simulators that cannot run here: named before the first job, and in the way of nothing else."""

import shutil

import pytest

from tests.workflow.conftest import ROOT, Project
from tests.workflow.test_failures import last_message

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

BINARIES = ROOT / "simulators" / "target" / "release"


@pytest.fixture
def outdated(tmp_path):
    """A project in which flow's sources are newer than its executable."""
    project = Project(tmp_path)
    sources = ROOT / "simulators"
    shutil.copytree(sources, tmp_path / "simulators", ignore=shutil.ignore_patterns("target"))
    (tmp_path / "simulators" / "target").symlink_to(sources / "target")
    main = tmp_path / "simulators" / "flow" / "src" / "main.rs"
    main.write_text(main.read_text() + "\npub const NEWER: u8 = 1;\n")
    del project.environment["WEFT_FLOW"]
    return project


def test_a_missing_simulator_is_one_line(project, tmp_path):
    project.small("nothing", [3])
    outcome = project.collect("nothing", WEFT_FLOW=str(tmp_path / "absent"))
    assert outcome.code == 1
    [message] = last_message(outcome)
    assert "is missing: run `make build`" in message


def test_an_outdated_simulator_is_named_once_before_anything_runs(outdated):
    project = outdated
    path = project.small("outdated", [3, 4, 5])
    path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
    assert project.collect("outdated", "-n").jobs == {"simulate": 3, "collect": 1}
    outcome = project.collect("outdated")
    assert outcome.code == 1
    assert outcome.output.count("was built from other sources") == 1, outcome.output
    assert "run `make build`, then the same command again" in last_message(outcome)[0]
    assert not list((project.folder / "results").rglob("journal.jsonl"))


def with_packet(project, name, sizes):
    """An experiment that only `packet` answers."""
    path = project.small(name, sizes)
    path.write_text(path.read_text().replace("engines: [flow]", "engines: [packet]"))


def test_an_outdated_simulator_hinders_only_the_experiments_that_need_it(outdated):
    project = outdated
    for name in ("stopped", "stopped_too"):
        path = project.small(name, [3, 4, 5])
        path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
    with_packet(project, "runs", [3, 4])
    targets = [f"reports/{name}.html" for name in ("stopped", "runs", "stopped_too")]
    outcome = project.run(*targets, "reports/index.html")
    assert outcome.code == 1
    lines = outcome.output.splitlines()
    (warning,) = (line for line in lines if line.startswith("weft: warning"))
    assert warning.startswith("weft: warning, for stopped, stopped_too: ")
    assert "run `make build`, then the same command again" in warning
    assert "runs: 2 points: 2 done; report: " in outcome.output
    assert "stopped: 3 points: 0 done, 3 missing" in outcome.output
    # At the beginning, and as the reason of one job for each experiment: not for every shard.
    assert outcome.output.count("was built from other sources") == 3, outcome.output
    # What is finished needs no simulator, and the next build finds nothing in its way.
    project.environment["WEFT_FLOW"] = str(BINARIES / "weft-flow")
    healed = project.run(*(f"results/{name}/collected.json" for name in ("stopped", "stopped_too")))
    assert healed.code == 0, healed.output
    del project.environment["WEFT_FLOW"]


def test_a_program_that_is_gone_hinders_only_its_own_and_its_pages_stay(project, tmp_path):
    project.environment["WEFT_PACKET"] = str(BINARIES / "weft-packet")
    project.small("needs_it", [3])
    with_packet(project, "needs_it_not", [3])
    gone = str(tmp_path / "absent")
    targets = ("results/needs_it/collected.json", "results/needs_it_not/collected.json")
    outcome = project.run(*targets, WEFT_FLOW=gone)
    assert outcome.code == 1
    assert "weft: warning, for needs_it: the simulator" in outcome.output
    assert project.stamp("needs_it_not")["done"] == 1
    assert project.collect("needs_it").code == 0
    again = project.run(*targets, WEFT_FLOW=gone)
    assert again.code == 0, again.output
    assert project.stamp("needs_it")["done"] == 1
    assert "warning" not in again.output
    looked = project.run("plan", "--config", "experiments=[needs_it]", WEFT_FLOW=gone)
    assert looked.code == 0, looked.output

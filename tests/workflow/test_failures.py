"""Folders that cannot be written, damaged files, crashes: one clear message each."""

import os
import re
import subprocess

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

needs_mount = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a tmpfs")


@pytest.fixture
def tmpfs(project):
    """Mounts a tmpfs over the copy's results folder, which starts out empty."""
    mounted = []

    def mount(options):
        folder = project.folder / "results"
        folder.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"no tmpfs: {done.stderr.strip()}")
        mounted.append(folder)

    yield mount
    for folder in mounted:
        subprocess.run(["umount", str(folder)], check=True)


def last_message(outcome):
    return [line for line in outcome.output.splitlines() if line.startswith("weft: ")]


@needs_mount
def test_read_only_results(project, tmpfs):
    project.small("frozen", [3])
    tmpfs("ro")
    outcome = project.collect("frozen")
    assert outcome.code == 1
    [message] = last_message(outcome)
    assert "cannot write to" in message
    assert message.endswith("nothing was run")
    assert "Traceback" not in outcome.output


@needs_mount
@pytest.mark.parametrize(
    ("size", "file"),
    [
        ("20k", "collection"),
        ("32k", r"flow/\w+/input\.json"),
        ("1700k", r"flow/\w+/messages\.parquet"),
    ],
)
def test_full_disk(project, tmpfs, size, file):
    """While weft plans or writes; `test_full_disk.py` has what simulators write."""
    project.write(
        "filled",
        """
title: Filled
question: Is a full disk named?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {flow: {tables: [messages]}}
topology: {dimensions: 2, k: 16}
workload: {per_node: 100}
""",
    )
    tmpfs(f"size={size}")
    outcome = project.collect("filled")
    assert outcome.code == 1
    assert "Traceback" not in outcome.output
    said = [line for line in outcome.output.splitlines() if "no space left" in line.lower()]
    [message] = said
    where = f"no space left on device while writing results/filled/{file}: free some space"
    assert re.search(where, message), message


@pytest.fixture
def crashing(project, tmp_path):
    """A simulator that dies on the points of one experiment only."""
    path = tmp_path / "weft-flow"
    binary = project.environment["WEFT_FLOW"]
    path.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" != run ] || ! grep -q \'"k": 5\' "$3"; then exec {binary} "$@"; fi\n'
        "echo the end is near >&2\nexit 3\n"
    )
    path.chmod(0o755)
    return str(path)


def test_a_crash_shows_the_log_and_spares_other_shards(project, crashing):
    path = project.small("crashes", [3, 4, 5])
    path.write_text(path.read_text() + "engine: {flow: {shard_points: 1}}\n")
    outcome = project.collect("crashes", WEFT_FLOW=crashing)
    assert outcome.code == 1
    assert "weft-flow ended with exit code 3" in outcome.output
    assert "the end is near" in outcome.output
    assert len(project.computed("crashes")) == 2
    partial = project.collect("crashes", "--config", "partial=true", WEFT_FLOW=crashing)
    assert partial.code == 0, partial.output
    stamp = project.stamp("crashes")
    assert (stamp["done"], stamp["missing"]) == (2, 1)
    healed = project.collect("crashes")
    assert healed.jobs == {"simulate": 1, "collect": 1}
    assert project.stamp("crashes")["done"] == 3


@pytest.fixture
def broken(project):
    """A file with a mistake, beside the plan of an experiment with a number that no table holds."""
    bad = project.write("broken", "title: [unclosed\n")
    yield bad
    bad.unlink()


def test_a_bad_file_hinders_only_itself(project, broken):
    project.small("sound", [3])
    outcome = project.collect("sound")
    assert outcome.code == 0, outcome.output
    [warning] = [line for line in last_message(outcome) if "warning" in line]
    assert warning == (
        "weft: warning: 1 other experiment has mistakes (broken); weft list prints them"
    )
    outcome = project.run("plan")
    assert outcome.code == 1
    assert "broken.yaml" in last_message(outcome)[0]
    assert "Traceback" not in outcome.output


def test_every_command_judges_by_the_machine_of_its_request(project):
    """The local machine allows 4 ranks."""
    site = project.folder / "configs/machine/site.yaml"
    site.write_text("ranks: 64\n")
    wide = project.write(
        "wide",
        "title: Wide\nquestion: How long?\nengines: [hardware]\n"
        "defaults: [{override /topology: crossbar}, {override /network: gigabit},"
        " {override /workload: alltoall}]\n"
        "topology: {nodes: 16}\nworkload: {ranks: 16, message_size: 1 KiB}\n"
        "machine: {ranks_per_node: 8}\n",
    )
    project.small("sound", [3])
    try:
        for asked in (["plan"], ["results/sound/collected.json"], []):
            there = project.run("-n", *asked, "--config", "machine=site")
            assert there.code == 0, there.output
            assert "mistake" not in there.output
            assert "wide.yaml" not in there.output
        here = project.run("-n", "plan")
        assert here.code == 1
        assert "8 ranks per node, but machine.ranks allows 4" in here.output
    finally:
        wide.unlink()
        site.unlink()


def test_the_index_is_written_beside_a_bad_file_and_lists_it(project, broken):
    project.small("sound", [3])
    assert project.run("reports/sound.html").code == 0
    outcome = project.run("reports/index.html")
    assert outcome.code == 0, outcome.output
    index = project.folder / "reports" / "index.html"
    shown = index.read_text().split('<section id="broken">')[1].partition("</section>")[0]
    assert "broken" in shown
    assert "configs/experiment/broken.yaml:2:1: not valid YAML" in shown
    assert 'href="sound.html"' in index.read_text()
    broken.write_text(broken.with_name("sound.yaml").read_text())
    assert project.run("reports/index.html").code == 0
    assert '<section id="broken">' not in index.read_text()


def test_a_damaged_plan_of_another_experiment_hinders_nobody(project):
    project.small("lasting", [3])
    project.small("damaged", [3])
    assert project.collect("damaged").code == 0
    (project.folder / "configs/experiment/damaged.yaml").unlink()
    plan = project.folder / "results/damaged/plan.json"
    plan.write_text(plan.read_text().replace('"seed":1', f'"seed":{2**63}'))
    outcome = project.run("results/lasting/collected.json", "reports/index.html")
    assert outcome.code == 0, outcome.output
    assert project.stamp("lasting")["done"] == 1

"""Looking changes nothing, and nothing that was ever computed is forgotten."""

import re
from pathlib import Path

import pytest
from snakemake.cli import get_argument_parser
from weft.files import sealed, take_lock, unsealed
from weft.prepare.main import prepare
from weft.profile.command_line import CommandLine, command_line

CONFIGS = Path(__file__).parents[2] / "configs"
OTHER = ("--config", "overrides=[workload.per_node=3]")


@pytest.mark.parametrize(
    ("arguments", "looks"),
    [
        (["-np"], True),
        (["reports/x.html", "--dry-run"], True),
        (["--lint", "json"], True),
        (["--dag"], True),
        (["-c1", "plan", "--config", "experiments=[x]"], True),
        (["plan", "all"], False),
        (["--until", "plan"], False),
        (["--cores", "1", "--nolock"], False),
    ],
)
def test_commands_that_only_look(arguments, looks):
    assert command_line(get_argument_parser, tuple(arguments)).looks is looks


@pytest.fixture(scope="module")
def done(project):
    """The experiment `looked`, computed and reported."""
    project.small("looked", [3, 4, 5])
    first = project.collect("looked")
    assert first.code == 0, first.output
    return project


def files(project):
    """Every file of the experiment but new shards, with its time and content."""
    folder = project.folder / "results" / "looked"
    names = [folder / "plan.json", folder / "schedule.json"]
    names += [path for path in folder.glob("shards/*") if (folder / "flow" / path.stem).exists()]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in names}


def planned(project, *arguments, name="looked"):
    """Points, new and cached of `snakemake plan`."""
    outcome = project.run("plan", "--config", "experiments=[looked]", *arguments)
    assert outcome.code == 0, outcome.output
    row = re.search(
        rf"^{name} +flow +(\d+) +\d+ +(\d+) +(\d+)(?: +0){{3}}$", outcome.output, re.MULTILINE
    )
    assert row, outcome.output
    return tuple(map(int, row.groups()))


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_dry_run_with_an_override_replaces_nothing(done):
    before = files(done)
    assert done.collect("looked", "-n", *OTHER).jobs == {"simulate": 1, "collect": 1}
    assert files(done) == before


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_dry_run_that_a_profile_asks_for_replaces_nothing(done):
    profile = done.folder / "profiles" / "dry"
    profile.mkdir()
    (profile / "config.yaml").write_text("dry-run: true\ncores: 1\n")
    before = files(done)
    retried = ("--config", "retry_failed=true", "overrides=[workload.per_node=5]")
    outcome = done.collect("looked", "--profile", "profiles/dry", *retried)
    assert outcome.jobs == {"simulate": 1, "collect": 1}, outcome.output
    assert files(done) == before
    assert not (done.folder / "results/looked@workload.per_node=5/plan.json").exists()


@pytest.mark.slow
@pytest.mark.long("runs")
def test_plan_shows_an_override_and_replaces_nothing(done):
    before = files(done)
    assert planned(done, *OTHER[1:], name="looked@workload.per_node=3") == (3, 3, 0)
    assert files(done) == before


@pytest.mark.slow
@pytest.mark.long("runs")
def test_plan_and_dry_runs_work_beside_a_run_and_runs_do_not(done):
    with (done.folder / "results/looked/.lock").open("w") as lock:
        assert take_lock(lock)
        assert planned(done) == (3, 0, 3)
        assert done.collect("looked", "-np").code == 0
        refused = done.collect("looked")
    assert refused.code != 0
    assert "another weft is running" in refused.output


@pytest.mark.slow
@pytest.mark.long("runs")
def test_plan_of_a_new_experiment_leaves_no_plan(done):
    done.small("fresh", [3])
    overview = done.run("plan")
    assert re.search(r"^fresh +flow +1 +1 +1 +0 +0 +0 +0$", overview.output, re.MULTILINE)
    assert not (done.folder / "results" / "fresh" / "plan.json").exists()


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_dry_run_shows_what_a_retry_would_run(done):
    (status,) = (done.folder / "results" / "looked").glob("flow/*/status.json")
    kept = status.read_text()
    outcomes = unsealed(kept.encode().rstrip(), required=True)
    outcomes["failed"] = [outcomes["done"].pop()]
    status.write_text(sealed(outcomes) + "\n")
    before = files(done)
    retried = done.collect("looked", "-n", "--config", "retry_failed=true")
    status.write_text(kept)
    assert retried.jobs["simulate"] == 1
    assert files(done) == before


@pytest.mark.slow
@pytest.mark.long("runs")
def test_results_are_found_again_after_other_settings_and_another_packing(done):
    def changed(text: str) -> None:
        path = done.small("looked", [3, 4, 5])
        path.write_text(path.read_text() + text)

    changed("workload: {per_node: 3}\n")
    assert done.collect("looked").jobs == {"simulate": 1, "collect": 1}
    changed("engine: {flow: {shard_points: 1}}\n")
    assert planned(done) == (3, 0, 3)
    again = done.collect("looked")
    assert again.jobs == {"collect": 1}, again.output
    assert done.stamp("looked")["done"] == 3
    changed("workload: {per_node: 3}\n")
    assert done.collect("looked").jobs == {"collect": 1}
    assert len(done.computed("looked")) == 6


@pytest.mark.slow
def test_a_look_at_an_archive_reads_the_plans_where_it_wrote_them(tmp_path, monkeypatch):
    target = "archives/tapered_fat_tree.zip"
    monkeypatch.chdir(tmp_path)
    command = CommandLine(targets=(target,), looks=True, dry_run=True)
    found = prepare({}, command, configs=CONFIGS)
    (plan,) = found.archives["tapered_fat_tree"]["plans"]
    assert Path(plan).is_file()
    assert not Path("results/tapered_fat_tree/plan.json").exists()

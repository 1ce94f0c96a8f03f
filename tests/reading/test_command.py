"""The command `weft`."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result
from weft.command.commands import main
from weft.config import load_experiments
from weft.read import Project, answers

from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

WEFT = [str(Path(sys.executable).with_name("weft"))]


def weft(project: Project, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--project", str(project.root), *arguments])


def test_list_shows_state_cost_and_question(project):
    shown = weft(project, "list").output
    assert re.search(r"^tori +done · 3 points · .* of CPU time · last run .* · flow$", shown, re.M)
    assert re.search(r"^untouched +new · flow$", shown, re.M)
    assert re.search(r"^broken +broken$", shown, re.M)


def test_list_filters_by_engine_and_topology(project):
    assert "tori" in weft(project, "list", "--engine", "flow", "--topology", "torus").output
    assert "No experiment matches" in weft(project, "list", "--engine", "booksim").output


def test_list_for_programs_is_json(project):
    rows = {row["name"]: row for row in json.loads(weft(project, "list", "--json").output)}
    assert rows["tori"]["state"] == "done"


def test_answers_are_printed_with_what_is_swept(project):
    lines = weft(project, "answers", "tori", "--rows", "2").output.splitlines()
    assert lines[0].split() == ["engine", "topology.k", "metric", "message_bytes", "value", "unit"]
    assert len(lines) == 4
    assert "rows in all" in lines[-1]


def test_answers_go_to_files(project, tmp_path):
    csv, parquet = tmp_path / "a.csv", tmp_path / "a.parquet"
    done = weft(project, "answers", "tori", "--csv", str(csv), "--parquet", str(parquet))
    assert done.exit_code == 0
    rows = pyarrow.parquet.read_table(parquet).num_rows
    assert pyarrow.csv.read_csv(csv).num_rows == rows > 0


def test_a_mistake_is_one_line(project):
    done = weft(project, "answers", "torii")
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "did you mean 'tori'" in done.output


@pytest.mark.parametrize("like", [None, "tori"])
def test_a_new_experiment_is_valid_as_it_stands(project, like):
    name = f"fresh_{like or 'example'}"
    done = weft(project, "new", name, *(["--like", like] if like else []))
    assert done.exit_code == 0, done.output
    (found,) = load_experiments(project.configs, names=[name])
    assert found.settings.title == name.replace("_", " ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tori"], "exists already"),
        (["two words"], "is not a valid experiment name"),
        (["index"], "reports/index.html is another page"),
        (["a" * 300], "may have 64 characters; this has 300"),
        (["another", "--like", "torii"], "did you mean 'tori'"),
    ],
)
def test_new_refuses_what_cannot_be(project, arguments, message):
    done = weft(project, "new", *arguments)
    assert done.exit_code == 1
    assert message in done.output


def test_status_shows_what_runs(project):
    (lock,) = (project.results / "tori" / "flow").glob("*/lock")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        shown = weft(project, "status", "tori").output
    assert "1 of 1 shards running" in shown
    assert "tori · flow · " in shown
    assert "Nothing runs now." in weft(project, "status").output


def test_status_shows_the_last_lines_of_what_failed(project):
    (status,) = (project.results / "tori" / "flow").glob("*/status.json")
    before = status.read_text()
    status.unlink()
    (status.parent / "run.log").write_text("one\ntwo\n")
    try:
        shown = weft(project, "status", "tori").output
    finally:
        status.write_text(before)
    assert "1 shard with failures" in shown
    assert "    | two" in shown
    assert f"log: {status.parent / 'run.log'}" in shown


def test_status_leaves_out_failures_of_shards_that_are_no_longer_planned(project):
    (shard,) = (project.results / "tori" / "flow").iterdir()
    status = shard / "status.json"
    before = status.read_text()
    status.unlink()
    older = shutil.copytree(shard, shard.with_name("0" * 12))
    try:
        shown = weft(project, "status", "tori").output
        (older.parents[1] / "plan.json").rename(older / "plan.json")
        unplanned = weft(project, "status", "tori").output
    finally:
        (older / "plan.json").rename(older.parents[1] / "plan.json")
        shutil.rmtree(older)
        status.write_text(before)
    assert "1 shard with failures" in shown
    assert older.name not in shown
    assert "2 shards with failures" in unplanned


def test_it_works_from_another_folder_and_into_a_closed_pipe(project, tmp_path):
    environment = {**os.environ, "WEFT_PROJECT": str(project.root)}
    command = f"{WEFT[0]} answers tori --rows 1000 | head -1"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "topology.k" in done.stdout
    assert done.stderr == ""


def test_a_shell_completes_names_of_experiments(project):
    environment = {
        **os.environ, "WEFT_PROJECT": str(project.root), "_WEFT_COMPLETE": "bash_complete",
        "COMP_WORDS": "weft answers to", "COMP_CWORD": "2",
    }  # fmt: skip
    done = subprocess.run(WEFT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "plain,tori"


def test_explain_names_the_file_and_line_of_every_key(project):
    shown = weft(project, "explain", "tori").output
    assert re.search(r"^topology = torus +configs/experiment/tori.yaml:5:5$", shown, re.M)
    assert re.search(r"^topology.dimensions = 2 +configs/experiment/tori.yaml:9:12$", shown, re.M)
    assert re.search(r"^network.bandwidth = .* +configs/network/gigabit.yaml:\d+:1$", shown, re.M)
    assert re.search(r"^engine.flow.model = \w+ +default$", shown, re.M)
    assert re.search(
        r"^topology.k = swept: 3, 4, 5 +configs/experiment/tori.yaml:11:3$", shown, re.M
    )


def test_explain_shows_a_point_its_log_and_how_to_compute_it_again(project):
    point_id = answers("tori", project).table["point_id"][0].as_py()
    shown = weft(project, "explain", point_id).output
    assert shown.startswith(f"{point_id} of tori: done · flow · replicate 0 · seed 1 · ")
    assert re.search(r"^  topology.k = [345] ", shown, re.M)
    assert re.search(r"^  again: rm -r \S+/results/tori/flow/[0-9a-f]+$", shown, re.M)
    assert "  then: snakemake reports/tori.html" in shown


def test_explain_of_nothing_known_is_one_line(project):
    assert "did you mean 'tori'" in weft(project, "explain", "torii").output
    assert "no point 'aaaaaaaaaaaa'" in weft(project, "explain", "aaaaaaaaaaaa").output


def test_an_option_in_the_place_of_the_experiment_is_explained(project):
    done = weft(project, "run", "-n", "tori")
    assert done.exit_code == 2
    assert "the experiment comes first" in done.output
    assert "weft run EXPERIMENT -n" in done.output


def test_several_experiments_run_together(project):
    done = subprocess.run(
        [*WEFT, "run", "untouched", "tori", "-n"],
        env={**os.environ, "WEFT_PROJECT": str(project.root)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    assert {"untouched: writing reports/untouched.html", "tori: writing reports/tori.html"} <= {
        line.partition(": ")[2] for line in (done.stdout + done.stderr).splitlines()
    }


def test_a_folder_of_ones_own_that_does_not_exist_is_not_made_by_looking(project, tmp_path):
    typo = tmp_path / "nowhere"
    done = weft(project, "--experiments", str(typo), "list")
    assert done.exit_code == 1
    assert f"{typo} does not exist: weft --experiments {typo} new NAME" in done.output
    assert not typo.exists()


def test_experiments_beside_the_folder_that_is_read_are_named(project, tmp_path):
    own = ["--experiments", str(tmp_path)]
    (tmp_path / "mine.yaml").write_text("title: Mine\n")
    done = weft(project, *own, "run", "mine")
    assert done.exit_code == 1
    assert f"{tmp_path / 'mine.yaml'} is not read, because experiments lie in" in done.output
    # What lies beside them may be anything once there are some.
    assert weft(project, *own, "new", "probe", "--like", "tori").exit_code == 0
    assert weft(project, *own, "list").exit_code == 0
    inner = tmp_path / "experiment"
    done = weft(project, "--experiments", str(inner), "list")
    assert f"{inner} is the folder experiment itself: give {tmp_path}" in done.output


def test_experiments_of_ones_own_live_outside_with_their_results(project, tmp_path):
    own = ["--experiments", str(tmp_path / "mine")]
    assert weft(project, *own, "new", "probe", "--like", "tori").exit_code == 0
    written = tmp_path / "mine" / "experiment" / "probe.yaml"
    text = written.read_text().replace("[3, 4, 5]", "[3]")
    # A file beside the experiment, which nothing of the project leads to.
    (written.parent / "ring.csv").write_text("src,dst,bytes\n0,1,1000\n")
    written.write_text(
        text.replace("workload: uniform", "workload: trace") + "workload: {file: ring.csv}\n"
    )
    environment = {**os.environ, "WEFT_PROJECT": str(project.root)}
    command = [*WEFT, *own, "run", "probe", "--quiet", "all"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stderr
    page = tmp_path / "mine" / "reports" / "probe.html"
    assert page.exists()
    assert done.stderr.splitlines()[-1] == f"probe: 1 point: 1 done; report: {page}"
    assert not (project.root / "results" / "probe").exists()
    shown = weft(project, *own, "list").output
    assert re.search(r"^probe +done · 1 point( |$)", shown, re.M)
    found = answers("probe", Project.find(project.root, tmp_path / "mine"))
    point_id = found.table["point_id"][0].as_py()
    shown = weft(project, *own, "explain", point_id).output
    shard = tmp_path / "mine" / "results" / "probe" / "flow"
    assert re.search(rf"^  again: rm -r {shard}/[0-9a-f]+$", shown, re.M)
    assert f"   then: weft --experiments {tmp_path / 'mine'} run probe\n" in shown


def test_a_run_that_fails_before_the_first_page_ends_without_a_traceback(project, tmp_path):
    own = ["--experiments", str(tmp_path / "mine")]
    assert weft(project, *own, "new", "probe", "--like", "tori").exit_code == 0
    # No collection can put its file there.
    (tmp_path / "mine" / "results" / "weft.duckdb" / "full").mkdir(parents=True)
    environment, command = {"WEFT_PROJECT": str(project.root)}, [*WEFT, *own, "run", "probe"]
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert re.fullmatch(r"probe: \d+ points: \d+ done", done.stderr.splitlines()[-1])


@pytest.mark.parametrize("like", [None, "tori"])
def test_a_new_experiment_names_a_schema_that_is_there(project, tmp_path, like):
    more = ["--like", like] if like else []
    own = ["--experiments", str(tmp_path / "mine")]
    assert weft(project, *own, "new", "probe", *more).exit_code == 0
    assert weft(project, "new", f"probe_{like}", *more).exit_code == 0
    inner = project.configs / "experiment" / f"probe_{like}.yaml"
    for file in (tmp_path / "mine" / "experiment" / "probe.yaml", inner):
        first, _, rest = file.read_text().partition("\n")
        schema = first.removeprefix("# yaml-language-server: $schema=")
        if like:  # Which has no such line.
            assert "$schema" not in first + rest
        else:
            assert json.loads((file.parent / schema).read_text())["title"] == "weft experiment"
    inner.unlink()


def test_an_unknown_experiment_is_missed_in_the_folders_that_were_read(project, tmp_path):
    own = ["--experiments", str(tmp_path / "mine")]
    assert weft(project, *own, "new", "probe", "--like", "tori").exit_code == 0
    done = subprocess.run(
        [*WEFT, *own, "run", "prob", "-n"],
        env={**os.environ, "WEFT_PROJECT": str(project.root)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    folder = tmp_path / "mine" / "experiment"
    assert f"weft: configs/experiment and {folder}: unknown experiment 'prob'; did" in done.stderr
    assert "did you mean 'probe'?" in done.stderr
    done = weft(project, *own, "status", "probe")
    assert f"'probe' has no results: weft {' '.join(own)} run probe" in done.output

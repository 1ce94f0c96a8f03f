"""The last line of a run counts its points, and a run without a single answer is a failure."""

import json
import re
import subprocess
import sys

import pytest
from weft.files import sealed
from weft.prepare.messages.summary import ExperimentOutcome, RunSummary, outcome
from weft.prepare.request.request import read_request

#: The real simulator, whose answers for the sizes in `unwell` become failures.
UNWELL = """#!{python}
import json, os, subprocess, sys
done = subprocess.run([{binary!r}, *sys.argv[1:]])
if sys.argv[1] == "run":
    shard = json.load(open(sys.argv[sys.argv.index("--shard") + 1]))
    sizes = {{point["point_id"]: point["topology"]["k"] for point in shard["points"]}}
    path = os.path.join(sys.argv[sys.argv.index("--out") + 1], "journal.jsonl")
    lines = [json.loads(line) for line in open(path)]
    for line in lines:
        if sizes[line["point_id"]] in {unwell}:
            line |= {{"status": "failed", "error": "too hot", "metrics": []}}
    with open(path, "w") as journal:
        journal.writelines(json.dumps(line) + "\\n" for line in lines)
sys.exit(done.returncode)
"""


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (ExperimentOutcome("x", points=12, done=12), "x: 12 points: 12 done"),
        (ExperimentOutcome("x", points=1, done=0, failed=1), "x: 1 point: 0 done, 1 failed"),
        (
            ExperimentOutcome("x", points=9, done=5, failed=1, skipped=1, flagged=2, missing=1),
            "x: 9 points: 5 done, 1 failed, 1 skipped, 2 flagged, 1 missing",
        ),
    ],
)
def test_the_line_counts_what_there_is(found, line):
    assert found.line == line


@pytest.mark.parametrize(
    ("counts", "ends_well", "strictly"),
    [
        ({"done": 3}, True, True),
        ({"failed": 3}, False, False),
        ({"done": 2, "failed": 1}, True, False),
        ({"skipped": 3}, True, False),
        ({"skipped": 2, "failed": 1}, False, False),
        ({"done": 3, "flagged": 1}, True, False),
    ],
)
def test_what_ends_a_run_badly(counts, ends_well, strictly):
    found = ExperimentOutcome("x", points=3, **{"done": 0, **counts})
    assert (found.verdict(strict=False) is None) is ends_well
    assert (found.verdict(strict=True) is None) is strictly


def test_an_experiment_without_a_plan_has_no_outcome(tmp_path):
    assert outcome(tmp_path, "x") is None
    RunSummary(("x",), tmp_path).check()


@pytest.mark.parametrize("target", ["../mine/pages", "{folder}/mine/pages"])
def test_the_path_of_a_page_is_whole_behind_a_link(tmp_path, target):
    project, pages = tmp_path / "project", tmp_path / "mine" / "pages"
    plan = project / "results" / "x" / "plan.json"
    for folder in (plan.parent, pages):
        folder.mkdir(parents=True)
    plan.write_text("{}")
    (plan.parent / "collected.json").write_text(sealed({"points": 1, "done": 1}))
    (pages / "x.html").touch()
    (project / "reports").symlink_to(target.format(folder=tmp_path))
    end = "from weft.prepare.messages.summary import RunSummary as S; S(('x',)).print_at_exit()"
    done = subprocess.run(
        [sys.executable, "-c", end], cwd=project, capture_output=True, text=True, check=True
    )
    assert done.stderr == f"x: 1 point: 1 done; report: {pages}/x.html\n"


@pytest.mark.parametrize("name", ["partial", "retry_failed", "strict"])
@pytest.mark.parametrize(("written", "means"), [(True, True), ("yes", True), ("off", False)])
def test_switches_are_yes_or_no(name, written, means):
    assert getattr(read_request({name: written}, []), name) is means


@pytest.mark.parametrize("name", ["partial", "retry_failed", "strict"])
def test_a_switch_that_is_neither_is_refused(name):
    with pytest.raises(ValueError, match=f"--config {name}=maybe: write {name}=true or"):
        read_request({name: "maybe"}, [])


@pytest.fixture
def unwell(project, tmp_path):
    """Makes a simulator that fails on some sizes."""

    def simulator(*sizes):
        path = tmp_path / "weft-flow"
        binary = project.environment["WEFT_FLOW"]
        path.write_text(UNWELL.format(python=sys.executable, binary=binary, unwell=sizes))
        path.chmod(0o755)
        return str(path)

    return simulator


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_run_of_failures_fails_and_so_does_its_rerun(project, unwell):
    project.small("hopeless", [3, 4])
    for _ in range(2):
        ended = project.run("reports/hopeless.html", WEFT_FLOW=unwell(3, 4))
        assert ended.code == 1, ended.output
        assert "weft: hopeless: no point is done, 2 failed" in ended.output
        page = project.folder / "reports" / "hopeless.html"
        assert ended.output.splitlines()[-1] == (
            f"hopeless: 2 points: 0 done, 2 failed; report: {page}"
        )
        assert page.is_file()


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_failed_point_is_counted_and_an_error_only_if_strict(project, unwell):
    project.small("mixed", [3, 4])
    ended = project.run("reports/mixed.html", WEFT_FLOW=unwell(3))
    assert ended.code == 0, ended.output
    assert re.match(r"mixed: 2 points: 1 done, 1 failed; ", ended.output.splitlines()[-1])
    strict = project.run("reports/mixed.html", "--config", "strict=true")
    assert strict.code == 1, strict.output
    assert "mixed: 2 points: 1 done, 1 failed, and strict=true accepts only" in strict.output
    again = project.run("reports/mixed.html")
    assert again.code == 0
    assert json.loads((project.folder / "results/mixed/collected.json").read_text())["failed"] == 1


@pytest.mark.slow
@pytest.mark.long("runs")
def test_a_page_of_an_earlier_run_is_called_one(project):
    project.small("paged", [3])
    page = project.folder / "reports" / "paged.html"
    first = project.run("reports/paged.html").output.splitlines()[-1]
    assert first == f"paged: 1 point: 1 done; report: {page}"
    project.small("paged", [3, 4])
    later = project.collect("paged").output.splitlines()[-1]
    assert later == f"paged: 2 points: 2 done; report of an earlier run: {page}"

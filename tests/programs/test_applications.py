"""`weft applications DIR`: runs the programs of a folder, and asks their own verification."""

import csv
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from weft.tables.traces import write_trace

from tests.patience import PATIENCE_S
from tests.programs.simulator import ROOT

pytestmark = pytest.mark.slow
EXPERIMENT = """
title: A sum
question: Does it run?
defaults:
  - override /topology: crossbar
  - override /network: infiniband_qdr
  - override /workload: pingpong
engines: [flow]
topology: {nodes: 2}
engine: {flow: {payload: delivered}}
workload:
  program: {sources: ['own/*.c'], data: {start.txt: own/start.txt}, PATTERNS}
  ranks: 2
  message_size: null
figures:
  - line: {x: workload.ranks, y: program_time_s, color: engine}
"""
#: The sum goes to a file, as that of programs that write a report.
SUM = r"""#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, sum = 0, start = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = fopen("start.txt", "r");
    if (file == NULL || fscanf(file, "%d", &start) != 1) return 3;
    fclose(file);
    start += rank;
    MPI_Allreduce(&start, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("sum of two\n");
        file = fopen("report.txt", "w");
        fprintf(file, "verification: %s\n", sum == 21 ? "PASSED" : "FAILED");
        fclose(file);
    }
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    (tmp_path / "experiment").mkdir()
    (tmp_path / "own" / "sum.c").write_text(SUM)
    (tmp_path / "own" / "start.txt").write_text("10\n")
    return tmp_path


def lines(folder: Path, patterns: str, *more: str) -> tuple[int, list[list[str]]]:
    """The exit code, and the words of each line."""
    text = EXPERIMENT.replace("PATTERNS", f"name: sum, {patterns}")
    (folder / "experiment" / "sum.yaml").write_text(text)
    done = run(folder, *more)
    assert not done.stderr
    return done.returncode, [line.split() for line in done.stdout.splitlines()]


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / ".venv" / "bin" / "weft", "--project", ROOT, "applications", folder, *more],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "WEFT_FLOW": str(ROOT / "simulators/target/release/weft-flow")},
    )


def test_the_verification_is_found_in_what_a_program_prints_and_writes(folder: Path) -> None:
    code, found = lines(folder, "passes: ['^sum of two$', 'verification: PASSED']")
    assert found[1][:5] == ["sum", "flow", "2", "yes", "yes"]
    assert float(found[1][5]) > 0
    assert (code, found[2]) == (0, ["1", "of", "1", "ran", "as", "they", "should"])


@pytest.mark.parametrize(
    ("patterns", "why"),
    [
        ("passes: ['sum of two', 'no such line']", "no line matches passes: no such line"),
        ("passes: ['sum of'], fails: [FAIL]", "a line matches fails: verification: FAILED"),
        ("passes: [PASSED], fails: [FAIL]", "a line matches fails: verification: FAILED"),
    ],
)
def test_a_verification_that_does_not_pass_is_no_with_the_reason(
    folder: Path, patterns: str, why: str
) -> None:
    (folder / "own" / "start.txt").write_text("11\n")
    code, found = lines(folder, patterns)
    assert found[1][:5] == ["sum", "flow", "2", "yes", "no"]
    assert " ".join(found[1]).endswith(why)
    assert code == 1


def test_what_weft_says_of_a_run_refutes_no_verification(folder: Path) -> None:
    _, found = lines(folder, "passes: ['^sum of two$'], fails: [failed, points]")
    assert found[1][:5] == ["sum", "flow", "2", "yes", "yes"]


def test_a_build_that_fails_is_in_its_line_alone(folder: Path) -> None:
    text = EXPERIMENT.replace(
        "{sources: ['own/*.c'], data: {start.txt: own/start.txt}, PATTERNS}",
        "{name: sum, build: {folder: own, command: [make, none], executable: none}}",
    )
    (folder / "experiment" / "sum.yaml").write_text(text)
    done = run(folder)
    assert done.stdout.count("No rule to make target 'none'") == 1
    assert not done.stderr


def test_what_stops_an_application_is_in_its_line(folder: Path) -> None:
    source = SUM.replace("start.txt", "other.txt").replace("return 3", 'return puts("no start"), 3')
    (folder / "own" / "sum.c").write_text(source)
    code, found = lines(folder, "passes: [PASSED]")
    assert found[1][:5] == ["sum", "flow", "2", "no", "-"]
    why = "ended with code 3; its last call was MPI_Comm_rank; it printed last: no start"
    assert " ".join(found[1]).endswith(why)
    assert code == 1


def test_what_is_good_in_a_table_does_not_run_again(folder: Path) -> None:
    kept = folder / "kept.csv"
    _, first = lines(folder, "passes: [PASSED]", "--table", str(kept))
    rows = list(csv.DictReader(kept.read_text().splitlines()))
    assert [row["verified"] for row in rows] == ["yes"]
    kept.write_text(kept.read_text().replace(f",{rows[0]['took_s']},", ",9999.0,"))
    code, again = lines(folder, "passes: [PASSED]", "--table", str(kept))
    assert again[1] == [*first[1][:6], "9999.0"]
    assert code == 0


@pytest.mark.parametrize("patterns", ["passes: [other]", "passes: [PASSED], fails: [sum of]"])
def test_another_verification_is_asked_of_an_application_in_the_table(
    folder: Path, patterns: str
) -> None:
    kept = folder / "kept.csv"
    lines(folder, "passes: [PASSED]", "--table", str(kept))
    code, found = lines(folder, patterns, "--table", str(kept))
    assert (code, found[1][4]) == (1, "no")
    [row] = csv.DictReader(kept.read_text().splitlines())
    assert row["verified"] == "no"


def test_a_file_that_is_no_table_is_left_alone(folder: Path) -> None:
    (folder / "notes.csv").write_text("a,b\n1,2\n")
    (folder / "experiment" / "sum.yaml").write_text(EXPERIMENT.replace("PATTERNS", "name: sum"))
    done = run(folder, "--table", str(folder / "notes.csv"))
    assert done.stderr.endswith("notes.csv is no table of weft applications: name a new file\n")
    assert (folder / "notes.csv").read_text() == "a,b\n1,2\n"


def test_applications_are_chosen_by_name(folder: Path) -> None:
    _, found = lines(folder, "passes: [PASSED]", "s?m", "--engine", "rdma")
    assert found[1] == ["0", "of", "0", "ran", "as", "they", "should"]
    done = run(folder, "sun")
    assert done.stderr == "weft: no application is called sun; did you mean 'sum'?\n"


def test_engines_and_keys_are_chosen_on_the_command_line(folder: Path) -> None:
    _, found = lines(folder, "passes: [PASSED]", "--engine", "rdma")
    assert found[1] == ["0", "of", "0", "ran", "as", "they", "should"]
    _, found = lines(folder, "passes: [FAILED]", "workload.ranks=4", "topology.nodes=4")
    assert found[1][:5] == ["sum", "flow", "4", "yes", "yes"]


def test_the_example_of_the_document_runs(folder: Path) -> None:
    document = (ROOT / "docs" / "programs.md").read_text()
    [example] = re.findall(r"```yaml\n(# DIR/experiment/solver\.yaml.*?)```", document, re.DOTALL)
    (folder / "experiment" / "solver.yaml").write_text(example)
    (folder / "solver").mkdir()
    text = SUM.replace("sum of two", "residual 0 OK").replace("start.txt", "/dev/null")
    text = text.replace('if (file == NULL || fscanf(file, "%d", &start) != 1) return 3;', "")
    (folder / "solver" / "solver.c").write_text(text)
    done = run(folder, "--engine", "flow")
    assert [line.split()[:5] for line in done.stdout.splitlines()[1:-1]] == [
        ["solver", "flow", ranks, "yes", "yes"] for ranks in ("8", "64")
    ], done.stdout


def test_the_applications_that_come_with_weft_run_as_they_should() -> None:
    done = run(ROOT / "applications", "--engine", "flow", "workload.ranks=3")
    assert [line.split()[:5] for line in done.stdout.splitlines()[1:-1]] == [
        [name, "flow", "3", "yes", "yes"] for name in ("gradient", "heat", "sort")
    ], done.stdout + done.stderr


def test_the_experiment_over_them_has_every_one_with_its_own_arguments() -> None:
    over = yaml.safe_load((ROOT / "configs/experiment/applications.yaml").read_text())
    [swept] = over["sweep"]["zip"]
    pairs = zip(swept["workload.program"], swept["workload.arguments"], strict=True)
    asked = {program["name"]: (program["sources"], given) for program, given in pairs}
    own = {}
    for path in (ROOT / "applications/experiment").glob("*.yaml"):
        workload = yaml.safe_load(path.read_text())["workload"]
        sources = [f"applications/{each}" for each in workload["program"]["sources"]]
        own[path.stem] = sources, workload["arguments"]
    assert asked == own


def test_a_trace_is_replayed_as_an_application(folder: Path) -> None:
    rows = [{"rank": 0, "call": "Barrier"}, {"rank": 1, "call": "Barrier"}]
    write_trace(folder / "experiment" / "x.weft-trace", 2, rows)
    text = EXPERIMENT[: EXPERIMENT.index("\nworkload:")]
    text = text.replace("/workload: pingpong", "/workload: replay")
    figures = EXPERIMENT[EXPERIMENT.index("figures:") :]
    (folder / "experiment" / "x.yaml").write_text(
        f"{text}\nworkload: {{file: experiment/x.weft-trace}}\n{figures}"
    )
    done = run(folder)
    assert done.stdout.splitlines()[1].split()[:4] == ["x", "flow", "2", "yes"], done.stdout

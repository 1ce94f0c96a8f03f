"""The C programs themselves: their output, their argument errors, their warnings."""

import subprocess
from pathlib import Path

import pytest
from weft.engines.hardware.build import FLAGS, SHARED_SOURCES, build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.program import PROGRAMS
from weft.engines.hardware.samples import read_measurement
from weft.engines.hardware.site import read_site

pytestmark = pytest.mark.slow


def run_program(program: str, *arguments: object, ranks: int = 2) -> subprocess.CompletedProcess:
    site = read_site({})
    executable = build_program(program, SOURCES, site.mpicc)
    command = [site.launcher, "-n", str(ranks), executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("program", PROGRAMS)
def test_compiles_without_warnings(program: str, tmp_path: Path) -> None:
    files = [SOURCES / name for name in (f"{program}.c", *SHARED_SOURCES)]
    command = [read_site({}).mpicc, *FLAGS, "-Werror", "-o", tmp_path / program, *files, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("program", "ranks"), [("pingpong", 2), ("alltoall", 2), ("alltoall", 3)])
def test_keeps_every_repetition_of_every_metric_and_size(
    program: str, ranks: int, tmp_path: Path
) -> None:
    output = tmp_path / "samples.csv"
    arguments = ["--output", output, "--repetitions", 7, "--warmup", 1, "--budget", 100]
    done = run_program(program, *arguments, 0, 1, 4096, ranks=ranks)
    assert done.returncode == 0, done.stderr
    measurement = read_measurement(output)
    assert set(measurement.samples) == {(m, s) for m in PROGRAMS[program] for s in (0, 1, 4096)}
    assert {len(values) for values in measurement.samples.values()} == {7}
    assert all(value > 0 for values in measurement.samples.values() for value in values)
    environment = measurement.environment()
    assert len(environment["hosts"]) == len(environment["cpus"]) == ranks
    assert "MPI" in environment["mpi_library"].upper()
    assert 0 < environment["clock_step_s"] < 1e-3


def test_budget_limits_repetitions_but_not_below_the_minimum(tmp_path: Path) -> None:
    output = tmp_path / "samples.csv"
    arguments = ["--output", output, "--repetitions", 5000, "--min-repetitions", 6, "--budget", 0]
    assert run_program("pingpong", *arguments, 8).returncode == 0
    assert {len(values) for values in read_measurement(output).samples.values()} == {6}


def test_bigger_messages_take_longer(tmp_path: Path) -> None:
    output = tmp_path / "samples.csv"
    assert run_program("pingpong", "--output", output, "--budget", 0.1, 1, 4194304).returncode == 0
    medians = {(m["metric"], m["message_bytes"]): m for m in read_measurement(output).metrics()}
    for metric in PROGRAMS["pingpong"]:
        assert medians[metric, 4194304]["value"] > 5 * medians[metric, 1]["value"]


@pytest.mark.parametrize(
    ("arguments", "ranks", "message"),
    [
        (["--output", "x"], 2, "usage:"),
        (["8"], 2, "usage:"),
        (["--output", "x", "8k"], 2, "'8k' is no message size"),
        (["--output", "x", "-8"], 2, "unknown or its value is wrong"),
        (["--output", "x", "--", "-8"], 2, "'-8' is no message size"),
        (["--output", "x", "--repetitions", "0", "8"], 2, "'--repetitions' is unknown or its"),
        (["--output", "x", "--budget", "nan", "8"], 2, "'--budget' is unknown or its value"),
        (["--output", "x", "8"], 3, "runs with 2 ranks, not with 3"),
    ],
)
def test_argument_errors_exit_with_2(arguments: list[str], ranks: int, message: str) -> None:
    done = run_program("pingpong", *arguments, ranks=ranks)
    assert done.returncode == 2
    assert message in done.stderr
    assert not Path("x").exists()


def test_unwritable_output_exits_with_1_and_names_the_file(tmp_path: Path) -> None:
    done = run_program("pingpong", "--output", tmp_path / "no" / "x", 8)
    assert done.returncode == 1
    assert "no/x.tmp: No such file" in done.stderr

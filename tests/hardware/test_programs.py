"""The runner of programs: its output, its argument errors, its warnings."""

import subprocess
from pathlib import Path

import pytest
from weft.engines.hardware.build import build_program, mgen_command, runner_command
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.program import REPORTED
from weft.engines.hardware.samples import Measurement, read_measurement
from weft.engines.hardware.site import read_site
from weft.engines.hardware.source import ProgramSource, program_of, shipped
from weft.machine import MachineFile

from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
PROJECT = SOURCES.parent


def run_program(
    program: str | Path, *arguments: object, ranks: int = 2
) -> subprocess.CompletedProcess:
    """A program of weft by its name, or another by its path."""
    site = read_site(MachineFile())
    workload = {"program": Path(program).stem}
    if isinstance(program, Path):
        workload["source"] = str(program)
    source: ProgramSource = program_of({"workload": workload}, PROJECT)
    executable, *others = build_program(source, SOURCES, site.mpicc)
    options = ["--one-sided"] if source.is_one_sided else []
    options += ["--program", others[0]] if others else []
    command = [site.launcher, "-n", str(ranks), executable, *options, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)


def measured(tmp_path: Path, program: str | Path, *arguments: object, ranks: int) -> Measurement:
    output = tmp_path / "samples.csv"
    few = ["--output", output, "--repetitions", 3, "--warmup", 1, "--budget", 100]
    done = run_program(program, *few, *arguments, ranks=ranks)
    assert done.returncode == 0, done.stderr
    return read_measurement(output)


@pytest.mark.parametrize("program", shipped(PROJECT))
def test_compiles_without_warnings(program: str, tmp_path: Path) -> None:
    source = PROJECT / "programs" / f"{program}.c"
    flags = [word for word in mgen_command(SOURCES, source) if word[-2:] not in (".c", "lm")]
    command = [
        read_site(MachineFile()).mpicc,
        "-Werror",
        *flags,
        "-c",
        source,
        "-o",
        tmp_path / "program.o",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_runner_of_programs_compiles_without_warnings(tmp_path: Path) -> None:
    words = mgen_command(SOURCES, PROJECT / "programs" / "pingpong.c")
    mpicc = read_site(MachineFile()).mpicc
    command = [mpicc, "-Werror", *words, "-o", tmp_path / "pingpong"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_runner_of_plain_programs_compiles_without_warnings(tmp_path: Path) -> None:
    command = [
        read_site(MachineFile()).mpicc,
        "-Werror",
        *runner_command(SOURCES),
        "-o",
        tmp_path / "runner",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_programs_may_have_every_name_that_is_not_of_mgen_or_weft(tmp_path: Path) -> None:
    words = mgen_command(SOURCES, PROJECT / "programs" / "pingpong.c")
    mpicc = read_site(MachineFile()).mpicc
    command = [mpicc, *words, "-o", tmp_path / "pingpong"]
    subprocess.run(command, check=True)
    linked = subprocess.run(
        ["nm", "-g", "--defined-only", command[-1]], capture_output=True, text=True
    )
    names = {line.split()[2] for line in linked.stdout.splitlines() if "@" not in line}
    taken = {n for n in names if not n.startswith(("MGEN_", "mgen_", "weft_", "_"))}
    assert taken <= {"main", "data_start"}


@pytest.mark.parametrize(("program", "ranks"), [("pingpong", 2), ("alltoall", 2), ("alltoall", 3)])
def test_keeps_every_repetition_of_every_metric_and_size(
    program: str, ranks: int, tmp_path: Path
) -> None:
    output = tmp_path / "samples.csv"
    arguments = ["--output", output, "--repetitions", 7, "--warmup", 1, "--budget", 100]
    done = run_program(program, *arguments, "--sizes", "0,1,4096", ranks=ranks)
    assert done.returncode == 0, done.stderr
    measurement = read_measurement(output)
    metrics = {"program_time_s", *REPORTED[program]}
    assert set(measurement.samples) == {(m, s) for m in metrics for s in (0, 1, 4096)}
    assert {len(values) for values in measurement.samples.values()} == {7}
    assert all(value > 0 for values in measurement.samples.values() for value in values)
    environment = measurement.environment()
    assert len(environment["hosts"]) == len(environment["cpus"]) == ranks
    assert "MPI" in environment["mpi_library"].upper()
    assert 0 < environment["clock_step_s"] < 1e-3


#: Programs that need arguments of their own, or a number of ranks.
PARTICULAR = {"pingpong", "nbody_exchange", "halo_exchange", "multicast", "pingpong_pairs",
              "spaced_traffic", "group_multicast", "group_creation", "training_step"}  # fmt: skip


@pytest.mark.parametrize("program", sorted(set(shipped(PROJECT)) - PARTICULAR))
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_every_program_ends_with_any_number_of_ranks(
    program: str, ranks: int, tmp_path: Path
) -> None:
    sizes = [] if program.startswith("barrier") else ["--sizes", "8,4096"]
    samples = measured(tmp_path, program, *sizes, ranks=ranks).samples
    wanted = [8, 4096] if sizes else [None]
    assert [size for metric, size in samples if metric == "program_time_s"] == wanted


@pytest.mark.parametrize(
    ("program", "arguments", "metric"),
    [
        ("multicast", ["2"], "head_time_s"),
        ("pingpong_pairs", ["0-1,2-3", "1e-6", "whole"], "round_trip_time_s"),
        ("spaced_traffic", ["uniform", "1e-5", "4"], "delay_mean_s"),
    ],
)
def test_programs_of_the_anet_paper_run_over_mpi(
    program: str, arguments: list[str], metric: str, tmp_path: Path
) -> None:
    samples = measured(tmp_path, program, "--sizes", "8,4096", *arguments, ranks=4).samples
    for size in (8, 4096):
        assert min(samples[metric, size]) > 0


@pytest.mark.parametrize("how", ["ring", "1", "all"])
def test_groups_are_set_up_over_mpi(how: str, tmp_path: Path) -> None:
    samples = measured(
        tmp_path, "group_multicast", "--sizes", "8,4096", how, "2", "3", "1e-3", ranks=3
    ).samples
    for size in (8, 4096):
        assert 0 < min(samples["setup_time_s", size]) < min(samples["multicast_time_s", size])
        # Three groups, and a millisecond between them.
        assert min(samples["program_time_s", size]) > 2e-3


@pytest.mark.parametrize("call", ["bitmap", "comm_split", "comm_create", "comm_create_group"])
def test_groups_are_made_by_the_calls_of_the_library(call: str, tmp_path: Path) -> None:
    def samples(computing_s: float) -> dict[tuple[str, int | None], list[float]]:
        words = (call, "mpich", "2", str(computing_s))
        return measured(tmp_path, "group_creation", *words, ranks=3).samples

    # Long beside a creation, however busy the machine is.
    creation_s = max(samples(0)["creation_time_s", None])
    computing_s = max(0.1, 100 * creation_s)
    found = samples(computing_s)
    waits = call in ("comm_split", "comm_create")
    # A call of all ranks ends when the third one, which computes, has come.
    assert (min(found["creation_time_s", None]) > 0.95 * computing_s) == waits
    assert min(found["outside_time_s", None]) >= 0


def test_a_group_is_not_made_in_the_way_of_another_library(tmp_path: Path) -> None:
    done = run_program("group_creation", "--output", tmp_path / "x", "comm_split", "openmpi")
    assert done.returncode == 2
    assert (
        "comm_split openmpi, 2 members of 2 ranks: the program runs with the MPI of another library"
        in done.stderr
    )


def test_the_halo_exchange_wants_a_grid_of_all_ranks(tmp_path: Path) -> None:
    samples = measured(
        tmp_path, "halo_exchange", "--sizes", "64", "2x2", "3", "0.001", ranks=4
    ).samples
    assert min(samples["program_time_s", 64]) > 0.003
    assert min(samples["iteration_time_s", 64]) > 0.001
    done = run_program("halo_exchange", "--output", tmp_path / "x", "--sizes", "64", "2x3", ranks=4)
    assert done.returncode == 2
    assert "as many places as there are ranks (4)" in done.stderr


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("sums", ["allreduce", "double_tree"])
def test_a_training_step_takes_its_computing_at_least(
    sums: str, ranks: int, tmp_path: Path
) -> None:
    arguments = ["100000", "2", "1e-3", "2e-3", sums]
    samples = measured(tmp_path, "training_step", *arguments, ranks=ranks).samples
    assert min(samples["program_time_s", None]) >= 3e-3


def test_the_nbody_exchange_takes_its_local_times(tmp_path: Path) -> None:
    table = tmp_path / "moves.csv"
    table.write_text("old_owner,to_0,to_1\n0,600,400\n1,100,900\n")
    for barriers in ("barriers", "no_barriers"):
        samples = measured(
            tmp_path, "nbody_exchange", table, "1e-6", "1e-6", "1e-6", "48", barriers, ranks=2
        ).samples
        # Rank 0: 1000 counted, 400 packed, 100 unpacked; rank 1 the same but for 100 and 400.
        least = 1.8e-3 if barriers == "barriers" else 1.5e-3
        assert min(samples["program_time_s", None]) >= least
    done = run_program(
        *("nbody_exchange", "--output", tmp_path / "x", table, "0", "0", "0", "48", "barriers"),
        ranks=3,
    )
    assert done.returncode == 2
    assert "is not a table of 3 ranks" in done.stderr


def test_budget_limits_repetitions_but_not_below_the_minimum(tmp_path: Path) -> None:
    output = tmp_path / "samples.csv"
    arguments = ["--output", output, "--repetitions", 5000, "--min-repetitions", 6, "--budget", 0]
    assert run_program("pingpong", *arguments, "--sizes", 8).returncode == 0
    assert {len(values) for values in read_measurement(output).samples.values()} == {6}


def test_bigger_messages_take_longer(tmp_path: Path) -> None:
    output = tmp_path / "samples.csv"
    arguments = ["--output", output, "--budget", 1, "--sizes", "1,4194304"]
    assert run_program("pingpong", *arguments).returncode == 0
    samples = read_measurement(output).samples
    # No processor copies faster, and on a quiet machine one byte takes a tenth of that time.
    fastest_bytes_per_s = 400e9
    for metric in REPORTED["pingpong"]:
        assert min(samples[metric, 4194304]) > 4194304 / fastest_bytes_per_s


@pytest.mark.parametrize(
    ("arguments", "ranks", "message"),
    [
        (["--sizes", "8"], 2, "usage:"),
        (["--output", "x", "--sizes", "8,8k"], 2, "'8k' is not a message size"),
        (["--output", "x", "--sizes", "-8"], 2, "'-8' is not a message size"),
        (["--output", "x", "--sizes", ""], 2, "'' is not a message size"),
        (["--output", "x", "--repetitions", "0"], 2, "'--repetitions' is unknown or its"),
        (["--output", "x", "--budget", "nan"], 2, "'--budget' is unknown or its value"),
        (["--output", "x", "--algorithm", "ring"], 2, "'--algorithm' is unknown or its value"),
        (["--output", "x", "--sizes", "8"], 3, "runs with 2 ranks, not with 3"),
    ],
)
def test_argument_errors_exit_with_2(arguments: list[str], ranks: int, message: str) -> None:
    done = run_program("pingpong", *arguments, ranks=ranks)
    assert done.returncode == 2
    assert message in done.stderr
    assert not Path("x").exists()


def test_unwritable_output_exits_with_1_and_names_the_file(tmp_path: Path) -> None:
    done = run_program("pingpong", "--output", tmp_path / "no" / "x", "--sizes", 8)
    assert done.returncode == 1
    assert "no/x.tmp: No such file" in done.stderr

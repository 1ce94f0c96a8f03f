"""A benchmark written for MPI, unmodified, on hardware."""

from pathlib import Path

import pytest

from tests.hardware.test_programs import measured, run_program

pytestmark = pytest.mark.slow
BENCHMARK = Path(__file__).parent / "latency_alltoall.c"


def test_a_plain_program_is_measured_from_init_to_finalize(tmp_path: Path) -> None:
    samples = measured(tmp_path, BENCHMARK, ranks=2).samples
    assert set(samples) == {("program_time_s", None)}
    assert len(samples["program_time_s", None]) == 3
    assert all(1e-6 < value < 10 for value in samples["program_time_s", None])


def test_what_a_plain_program_prints_is_printed_once(tmp_path: Path) -> None:
    few = ["--output", tmp_path / "x.csv", "--repetitions", 3, "--warmup", 2]
    done = run_program(BENCHMARK, *few, ranks=2)
    rows = [line.split(",") for line in done.stdout.splitlines()]
    assert [int(row[0]) for row in rows] == [1, 16, 256, 4096, 65536]


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("MPI_Init(&argc, &argv); MPI_Finalize(); exit(6);", 6, ""),
        ("return 0;", 1, "the program ended without MPI_Init"),
        (
            "MPI_Init(&argc, &argv); return 0;",
            0,
            "the program ended without MPI_Finalize: its time is that until its end",
        ),
    ],
)
def test_how_a_plain_program_ends_is_reported(
    body: str, code: int, words: str, tmp_path: Path
) -> None:
    source = tmp_path / "bad.c"
    source.write_text(
        f"#include <mpi.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{ {body} }}\n"
    )
    done = run_program(source, "--output", tmp_path / "x.csv")
    assert done.returncode == code
    assert words in done.stderr

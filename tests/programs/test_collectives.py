"""The collectives of `programs/lib` against those of the MPI library."""

from pathlib import Path

import pytest

from tests.hardware.test_programs import run_program

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
HERE = Path(__file__).parent


#: More of them than processors take long; the simulator runs the same algorithms with more.
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5])
def test_every_algorithm_gives_what_the_library_gives(ranks: int, tmp_path: Path) -> None:
    once = ["--output", tmp_path / "x.csv", "--repetitions", 1, "--warmup", 0]
    done = run_program(HERE / "collectives.c", *once, ranks=ranks)
    assert done.returncode == 0, done.stderr

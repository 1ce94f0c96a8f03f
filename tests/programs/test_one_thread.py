"""What a rank of one thread pays for: nothing that only other programs use."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.patience import PATIENCE_S
from tests.programs import simulator

pytestmark = pytest.mark.slow

#: It writes no global and starts no thread.
PLAIN = """#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return got != (rank + size - 1) % size;
}
"""
#: Variables that all ranks share: of the compiler, and the simulator's functions.
SHARED = {"completed.0", "host", "at_end"}


def test_a_program_without_globals_has_none_of_the_library_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setattr(simulator, "_programs", lambda: SimpleNamespace(name=str(cache)))
    source = tmp_path / "plain.c"
    source.write_text(PLAIN)
    simulator.simulated(tmp_path, source, 3, engine="flow")
    (program,) = cache.glob("*/program.so")
    listed = subprocess.run(
        ["nm", "--format=posix", program],
        capture_output=True, text=True, check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    symbols = [line.split() for line in listed.stdout.splitlines()]
    written = {name for name, kind, *_ in symbols if kind in "bB"}
    assert written <= SHARED

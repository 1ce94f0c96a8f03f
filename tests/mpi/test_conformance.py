"""Calls of MPI: a program prints the same in every simulator as over MPICH."""

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from weft.engines.hardware.site import read_site
from weft.machine import MachineFile

from tests.patience import PATIENCE_S
from tests.programs.simulator import run_point, simulated

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
HERE = Path(__file__).parent
FAMILIES = sorted(path.stem for path in HERE.glob("*.c"))
ENGINES = ("flow", "packet", "rdma")
#: No power of two, and a power of two.
RANKS = (3, 4)


@cache
def over_mpich(family: str, ranks: int) -> list[str]:
    """What the ranks print, one rank after the other."""
    site = read_site(MachineFile())
    with TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        source = HERE / f"{family}.c"
        compiler = [site.mpicc, "-w", "-o", program, source, "-lm"]
        subprocess.run(compiler, check=True, timeout=PATIENCE_S)
        # Each rank has a file of its own: lines of several ranks could mix.
        command = [site.launcher, "-n", str(ranks), "-outfile-pattern", f"{folder}/%r", program]
        subprocess.run(command, check=True, timeout=PATIENCE_S, env=dict(os.environ), cwd=folder)
        texts = [(Path(folder) / str(rank)).read_text() for rank in range(ranks)]
    return [line for text in texts for line in text.splitlines()]


def printed(log: str) -> list[str]:
    """What the ranks printed, one rank after the other."""
    lines = [line.partition("point p: ")[2] for line in log.splitlines() if "point p: " in line]
    own = [line for line in lines if line.split(":")[0].isdigit()]
    return sorted(own, key=lambda line: int(line.split(":")[0]))


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_program_prints_what_it_prints_over_mpich(family, engine, ranks, tmp_path):
    options = {"stack_bytes": 1 << 18}
    _, log = run_point(tmp_path, HERE / f"{family}.c", ranks, engine=engine, **options)
    assert printed(log) == over_mpich(family, ranks)


#: What a rank does, and what a message about it says.
MISTAKES = [
    ("MPI_File f; MPI_File_open(MPI_COMM_WORLD, \"a/../../x\", 2, 0, &f);",
     "rank 0: MPI_File_open: a/../../x leads out of the folder"),
    ("MPI_File_delete(\"/x\", 0);", "rank 0: MPI_File_delete: /x leads out of the folder"),
    ("MPI_Comm c; MPI_Comm_get_parent(&c);", "rank 0: MPI_Comm_get_parent: "),
    ("MPI_Type_commit(&type);", "MPI_Type_commit: 77 is not a datatype"),
    ("MPI_Send(0, 1, type, 0, 0, MPI_COMM_WORLD);", "MPI_Send: 77 is not a datatype"),
    ("MPI_Bcast(0, 1, type, 0, MPI_COMM_WORLD);", "MPI_Bcast: 77 is not a datatype"),
    ("MPI_Gatherv(0, -1, MPI_INT, 0, 0, 0, type, 0, MPI_COMM_WORLD);", "MPI_Gatherv: a count"),
    ("MPI_Request r = -5; MPI_Wait(&r, 0);", "MPI_Wait: -5 is not a request"),
    ("MPI_Request r; MPI_Ibarrier(MPI_COMM_NULL, &r);", "MPI_Ibarrier: MPI_COMM_NULL has no"),
    ("if (rank) MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);"
     " else MPI_Exscan(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);", "instead of MPI_"),
    ("if (!rank) { MPI_Request r; MPI_Ibarrier(MPI_COMM_WORLD, &r); MPI_Wait(&r, 0); }",
     "rank 0 waits in MPI_Wait for"),
    ("MPI_Allreduce(&x, &y, 1, MPI_FLOAT, MPI_BXOR, MPI_COMM_WORLD);",
     "MPI_Allreduce: the operator is not defined on the datatype"),
    ("MPI_Win w = 9; MPI_Win_fence(0, w);", "MPI_Win_fence: there is no such window"),
    ("int c[2]; MPI_Cart_coords(MPI_COMM_WORLD, 0, 2, c);", "MPI_Cart_coords: the communicator h"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "words"), MISTAKES)
def test_a_message_names_the_call_that_the_program_made(body, words, tmp_path):
    source = tmp_path / "wrong.c"
    source.write_text(
        "#include <mpi.h>\nint main(int argc, char **argv) {\n"
        "    int rank, x = 0, y = 0;\n    MPI_Datatype type = 77;\n    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    (void)x, (void)y, (void)type;\n"
        f"    {body}\n    MPI_Finalize();\n    return 0;\n}}\n"
    )
    with pytest.raises(AssertionError) as failed:
        simulated(tmp_path, source, 2)
    error = str(failed.value).partition("\nassert ")[0]
    assert words in error
    assert "MGEN" not in error

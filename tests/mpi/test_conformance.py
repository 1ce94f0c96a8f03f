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
        compiler = [site.mpicc, "-w", "-I", HERE / "include", "-o", program, source, "-lm"]
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
    source = f"{family}.c"
    build = {"root": str(HERE), "language": "c", "sources": [source], "include": ["include"]}
    build |= {"defines": [], "flags": [], "files": [[source, None], ["include/files.h", None]]}
    options = {"stack_bytes": 1 << 18}
    _, log = run_point(
        tmp_path, HERE / source, ranks, engine=engine, build=build, **options
    )  # fmt: skip
    assert printed(log) == over_mpich(family, ranks)


#: A type that is made and not committed.
VECTOR = "MPI_Type_vector(2, 1, 2, MPI_INT, &type);"
#: What a rank does, and what a message about it says.
MISTAKES = [
    ("MPI_File f; MPI_File_open(MPI_COMM_WORLD, \"a/../../x\", 2, 0, &f);",
     "rank 0: MPI_File_open: a/../../x leads out of the folder"),
    ("MPI_File_delete(\"/x\", 0);", "rank 0: MPI_File_delete: /x leads out of the folder"),
    ("MPI_Comm_join(0, &(MPI_Comm){0});", "rank 0: MPI_Comm_join: "),
    ("MPI_Comm_remote_size(MPI_COMM_WORLD, &x);", "MPI_Comm_remote_size: the communicator is no "),
    ("MPI_Comm c; MPI_Comm_split(W, rank, 0, &c); MPI_Intercomm_create(c, 0, W, 1 - rank, 0, &c);"
     " MPI_Scan(&x, &y, 1, MPI_INT, MPI_SUM, c);", "MPI_Scan: intercommunicators have no such"),
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
    (f"{VECTOR} MPI_Send(all, 1, type, 1 - rank, 0, MPI_COMM_WORLD);",
     "MPI_Send: the datatype of what it sends is not committed"),
    (f"{VECTOR} MPI_Bcast(all, 1, type, 0, MPI_COMM_WORLD);", "is not committed"),
    (f"{VECTOR} MPI_Type_dup(type, &type); MPI_Recv(all, 1, type, 1 - rank, 0, MPI_COMM_WORLD, 0);",
     "MPI_Recv: the datatype of what it receives is not committed"),
    (f"{VECTOR} int at = 0; MPI_Pack(all, 1, type, all, 32, &at, MPI_COMM_WORLD);",
     "MPI_Pack: the datatype is not committed"),
    ("MPI_Aint at = 0; MPI_Pack_external(\"external32\", all, 1, MPI_LONG_DOUBLE, all, 64, &at);",
     "MPI_Pack_external: weft has no external32 of MPI_WCHAR, long double"),
    ("MPI_Aint at = 0; MPI_Pack_external(\"external32\", all, 3, MPI_INT, all, 11, &at);",
     "MPI_Pack_external: the data do not fit in the buffer"),
    ("MPI_Aint at; MPI_Pack_external_size(\"native\", 1, MPI_INT, &at);",
     "MPI_Pack_external_size: the only form of packed data is external32"),
    ("MPI_Datatype parts[] = {MPI_LONG, MPI_INT}; MPI_Aint at[] = {0, 8};"
     " MPI_Type_create_struct(2, ones, at, parts, &type); MPI_Type_commit(&type);"
     " MPI_Pack_external_size(\"external32\", 1, type, at);",
     "MPI_Pack_external_size: weft has no external32 of types that mix long or complex numbers"),
]  # fmt: skip
#: Collectives that read and write the same memory, as MPICH refuses them too.
ALIASED = [
    "Reduce(all, all, 1, MPI_INT, MPI_SUM, 0, W)",
    "Allreduce(all, all, 1, MPI_INT, MPI_SUM, W)",
    "Allreduce(all, all, 1, MPI_LONG_DOUBLE, MPI_SUM, W)",
    "Iallreduce(all, all, 1, MPI_INT, MPI_SUM, W, &own)",
    "Scan(all, all, 1, MPI_INT, MPI_SUM, W)",
    "Exscan(all, all, 1, MPI_INT, MPI_SUM, W)",
    "Reduce_scatter_block(all, all, 1, MPI_INT, MPI_SUM, W)",
    "Reduce_scatter(all, all, ones, MPI_INT, MPI_SUM, W)",
    "Gather(all + rank, 1, MPI_INT, all, 1, MPI_INT, 0, W)",
    "Gatherv(all + rank, 1, MPI_INT, all, ones, places, MPI_INT, 0, W)",
    "Scatter(all, 1, MPI_INT, all + rank, 1, MPI_INT, 0, W)",
    "Scatterv(all, ones, places, MPI_INT, all + rank, 1, MPI_INT, 0, W)",
    "Allgather(all + rank, 1, MPI_INT, all, 1, MPI_INT, W)",
    "Iallgather(all + rank, 1, MPI_INT, all, 1, MPI_INT, W, &own)",
    "Allgatherv(all + rank, 1, MPI_INT, all, ones, places, MPI_INT, W)",
    "Alltoall(all, 1, MPI_INT, all, 1, MPI_INT, W)",
    "Alltoallv(all, ones, places, MPI_INT, all, ones, places, MPI_INT, W)",
    "Ialltoallv(all, ones, places, MPI_INT, all, ones, places, MPI_INT, W, &own)",
]
#: They read and write places of their own in one array.
APART = [
    "Allgather(all + 4, 1, MPI_INT, all, 1, MPI_INT, W)",
    "Alltoallv(all, ones, places, MPI_INT, all, ones, behind, MPI_INT, W)",
    "Allreduce(all, all, 0, MPI_INT, MPI_SUM, W)",
    "Reduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF)",
]


def that_does(body: str, folder: Path) -> Path:
    """A program whose ranks do that and have these variables."""
    source = folder / "wrong.c"
    source.write_text(
        "#include <mpi.h>\n#define W MPI_COMM_WORLD\nint main(int argc, char **argv) {\n"
        "    int rank, x = 0, y = 0, all[16] = {0}, ones[2] = {1, 1}, places[2] = {0, 1};\n"
        "    int behind[2] = {4, 5};\n    MPI_Datatype type = 77;\n    MPI_Request own;\n"
        "    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    (void)x, (void)y, (void)type, (void)all;\n"
        "    (void)ones, (void)places, (void)behind, (void)own;\n"
        f"    {body}\n    MPI_Finalize();\n    return 0;\n}}\n"
    )
    return source


def mistake_of(body: str, folder: Path) -> str:
    """The message about such a program."""
    with pytest.raises(AssertionError) as failed:
        simulated(folder, that_does(body, folder), 2)
    return str(failed.value).partition("\nassert ")[0]


@pytest.mark.parametrize("call", ALIASED)
def test_a_collective_that_reads_what_it_writes_is_refused(call, tmp_path):
    error = mistake_of(f"MPI_{call};", tmp_path)
    name = call.partition("(")[0]
    assert f"MPI_{name}: sendbuf and recvbuf are the same memory; use MPI_IN_PLACE" in error


#: An int behind a char, which MPICH 5.0 cannot pack so.
MIXED = """MPI_Datatype parts[] = {MPI_CHAR, MPI_INT}; MPI_Aint at[] = {0, 4};
    struct { char letter; int number; } one = {'a', 258}, back = {0, 0};
    MPI_Type_create_struct(2, ones, at, parts, &type); MPI_Type_commit(&type);
    unsigned char packed[8] = {0}, form[] = {'a', 0, 0, 1, 2, 0, 0, 0}; at[0] = at[1] = 0;
    MPI_Pack_external("external32", &one, 1, type, packed, 8, &at[0]);
    MPI_Unpack_external("external32", packed, 8, &at[1], &back, 1, type);
    if (at[0] != 5 || at[1] != 5 || memcmp(packed, form, 8)) return 3;
    if (back.letter != 'a' || back.number != 258) return 4;"""


def test_a_type_of_several_types_is_packed_in_the_form_of_mpi(tmp_path):
    simulated(tmp_path, that_does(MIXED, tmp_path), 2)


@pytest.mark.parametrize("call", APART)
def test_places_of_one_array_that_do_not_meet_are_allowed(call, tmp_path):
    simulated(tmp_path, that_does(f"MPI_{call};", tmp_path), 2)


@pytest.mark.parametrize(("body", "words"), MISTAKES)
def test_a_message_names_the_call_that_the_program_made(body, words, tmp_path):
    error = mistake_of(body, tmp_path)
    assert words in error
    assert "MGEN" not in error

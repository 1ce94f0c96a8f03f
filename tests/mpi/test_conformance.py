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


#: As `infiniband_hdr` has it: calls take time.
OVERHEADS = {
    "bandwidth_bytes_per_s": 25e9,
    "latency_s": 0.0,
    "hop_latency_s": 0.0,
    "packet": {"mtu_bytes": 4096, "header_bytes": 32, "flit_bytes": 32},
    "software": {"send_overhead_s": 3e-7, "receive_overhead_s": 3e-7, "put_s": 0.0},
}


@pytest.mark.parametrize("eager_limit_bytes", [0, 1 << 30])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("family", ["probes", "tags"])
def test_no_call_sees_what_a_library_sends_itself(family, engine, eager_limit_bytes, tmp_path):
    _, log = run_point(
        tmp_path, HERE / f"{family}.c", 4, network=OVERHEADS, engine=engine,
        eager_limit_bytes=eager_limit_bytes, stack_bytes=1 << 18,
    )  # fmt: skip
    assert printed(log) == over_mpich(family, 4)


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
    ("MPI_Send(&x, 1, MPI_INT, 1 - rank, -3, W);",
     "rank 0: MPI_Send: a message cannot have tag -3; tags go from 0 to 2147483647"),
    ("MPI_Recv_init(&x, 1, MPI_INT, 1 - rank, -7, W, &own);",
     "rank 0: MPI_Recv_init: a message cannot have tag -7; tags go from 0 to 2147483647"),
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
    ("MPI_Send(NULL, 5, MPI_INT, 1 - rank, 0, W);",
     "MPI_Send: a buffer is NULL, but its count is not 0"),
    ("MPI_Recv(0, 1, MPI_LONG_DOUBLE, 1 - rank, 0, W, 0);", "MPI_Recv: a buffer is NULL, but"),
    ("MPI_Bcast(NULL, 2, MPI_INT, 0, W);", "MPI_Bcast: a buffer is NULL, but its"),
    ("MPI_Allreduce(&x, NULL, 1, MPI_INT, MPI_SUM, W);", "MPI_Allreduce: a buffer is NULL"),
    ("MPI_Alltoall(NULL, 1, MPI_INT, all, 1, MPI_INT, W);", "MPI_Alltoall: a buffer is NULL"),
    ("MPI_Ialltoallv(NULL, ones, places, MPI_INT, all, ones, places, MPI_INT, W, &own);",
     "MPI_Ialltoallv: a buffer is NULL, but its count is not 0"),
    ("int at = 0; MPI_Pack(NULL, 1, MPI_INT, all, 32, &at, W);", "MPI_Pack: a buffer is NULL"),
    ("MPI_Reduce_local(NULL, all, 1, MPI_INT, MPI_SUM);", "MPI_Reduce_local: a buffer is NULL"),
    ("MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, W);", "MPI_Bcast: MPI_IN_PLACE is no buffer there"),
    ("MPI_Allreduce(&x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, W);",
     "MPI_Allreduce: MPI_IN_PLACE is no buffer there"),
    ("MPI_Reduce(MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, 0, W);",
     "rank 1: MPI_Reduce: only the root may give MPI_IN_PLACE"),
    ("MPI_Igather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, 0, W, &own);",
     "rank 1: MPI_Igather: only the root may give MPI_IN_PLACE"),
    ("MPI_Scatterv(all, ones, places, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, W);",
     "rank 1: MPI_Scatterv: only the root may give MPI_IN_PLACE"),
    ("MPI_Reduce(all, &x, 0, MPI_DOUBLE, MPI_BAND, 0, W);",
     "MPI_Reduce: the operator is not defined on the datatype"),
    ("MPI_Allreduce(all, &x, 1, MPI_FLOAT, MPI_LAND, MPI_COMM_SELF);",
     "MPI_Allreduce: the operator is not defined on the datatype"),
    ("MPI_Type_contiguous(2, MPI_INT, &type); MPI_Type_commit(&type);"
     " MPI_Iallreduce(all, places, 1, type, MPI_SUM, MPI_COMM_SELF, &own);",
     "MPI_Iallreduce: the operator is not defined on the datatype"),
    ("MPI_Scan(all, &x, 1, MPI_INT, MPI_REPLACE, MPI_COMM_SELF);",
     "MPI_Scan: the operator is not defined on the datatype"),
    ("MPI_Reduce_local(all, &x, 1, MPI_INTEGER, MPI_LOR);",
     "MPI_Reduce_local: the operator is not defined on the datatype"),
    ("MPI_Reduce_scatter_block(all, &x, 1, MPI_C_BOOL, MPI_MAX, MPI_COMM_SELF);",
     "MPI_Reduce_scatter_block: the operator is not defined on the datatype"),
    ("MPI_Finalize(); MPI_Barrier(W);", "MPI_Barrier: it is called after MPI_Finalize"),
    ("MPI_Finalize(); MPI_Comm_rank(W, &x);", "MPI_Comm_rank: it is called after MPI_Finalize"),
    ("MPI_Finalize();", "MPI_Finalize: it is called after MPI_Finalize"),
    ("MPI_Init(0, 0);", "MPI_Init: it has been called before"),
    ("MPI_Win w; MPI_Win_allocate(4, 4, MPI_INFO_NULL, W, &own, &w);"
     " MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, w);", ": MPI_Put: no epoch is open: "),
    ("MPI_Win w; MPI_Win_allocate(4, 4, MPI_INFO_NULL, W, &own, &w);"
     " MPI_Win_unlock(1, w);", ": MPI_Win_unlock: the rank does not hold the lock"),
    ("MPI_Win w; MPI_Win_allocate(4, 4, MPI_INFO_NULL, W, &own, &w);"
     " MPI_Win_lock_all(0, w); MPI_Win_free(&w);", ": MPI_Win_free: an epoch is open"),
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


def that_does(body: str, folder: Path, before: str = "") -> Path:
    """A program whose ranks do that and have these variables."""
    source = folder / "wrong.c"
    source.write_text(
        f"#include <mpi.h>\n#define W MPI_COMM_WORLD\n{before}"
        "int main(int argc, char **argv) {\n"
        "    int rank, x = 0, y = 0, all[16] = {0}, ones[2] = {1, 1}, places[2] = {0, 1};\n"
        "    int behind[2] = {4, 5};\n    MPI_Datatype type = 77;\n    MPI_Request own;\n"
        "    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    (void)x, (void)y, (void)type, (void)all;\n"
        "    (void)ones, (void)places, (void)behind, (void)own;\n"
        f"    {body}\n    MPI_Finalize();\n    return 0;\n}}\n"
    )
    return source


def mistake_of(body: str, folder: Path, before: str = "") -> str:
    """The message about such a program."""
    with pytest.raises(AssertionError) as failed:
        simulated(folder, that_does(body, folder, before), 2)
    return str(failed.value).partition("\nassert ")[0]


@pytest.mark.parametrize("call", ALIASED)
def test_a_collective_that_reads_what_it_writes_is_refused(call, tmp_path):
    error = mistake_of(f"MPI_{call};", tmp_path)
    name = call.partition("(")[0]
    assert f"MPI_{name}: sendbuf and recvbuf are the same memory; use MPI_IN_PLACE" in error


#: Sums of three ints that lie together, but before or behind where the buffer begins, or at an
#: absolute address. MPICH 5.0 crashes in some of these calls.
TOGETHER = """MPI_Op op; MPI_Aint at; MPI_Datatype plain; int got[16], begin, wrong = 0;
    MPI_Op_create(add_ints, 1, &op);
    for (begin = 0; begin < 3; begin++) {
        int *from = begin == 2 ? MPI_BOTTOM : all + 1, *into = begin == 2 ? MPI_BOTTOM : got + 1;
        MPI_Get_address(got, &at);
        at = begin == 2 ? at : begin == 1 ? 4 : -4;
        MPI_Type_create_hindexed_block(1, 3, &at, MPI_INT, &plain);
        MPI_Type_create_resized(plain, 0, 12, &type); MPI_Type_commit(&type);
        int *first = begin == 2 ? got : (int *)((char *)into + at), count = begin == 2 ? 1 : 2;
        for (int form = begin == 2; form < 3; form++) {
            for (int i = 0; i < 16; i++) { all[i] = 10 * rank + i; got[i] = form ? all[i] : -1; }
            if (form == 2) {
                MPI_Iallreduce(MPI_IN_PLACE, into, count, type, op, W, &own); MPI_Wait(&own, 0);
            } else {
                MPI_Allreduce(form ? MPI_IN_PLACE : (void *)from, into, count, type, op, W);
            }
            int before = (int)(first - got);
            for (int i = 0; i < 3 * count; i++) wrong += first[i] != 10 + 2 * (before + i);
        }
        MPI_Type_free(&type); MPI_Type_free(&plain);
    }
    if (wrong) return 3;"""
ADD_INTS = """static void add_ints(void *in, void *inout, int *count, MPI_Datatype *type) {
    MPI_Aint low, extent;
    MPI_Type_get_true_extent(*type, &low, &extent);
    for (int i = 0; i < 3 * *count; i++)
        ((int *)((char *)inout + low))[i] += ((int *)((char *)in + low))[i];
}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_types_that_begin_elsewhere_are_summed_from_where_their_data_are(engine, tmp_path):
    simulated(tmp_path, that_does(TOGETHER, tmp_path, ADD_INTS), 2, engine=engine)


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

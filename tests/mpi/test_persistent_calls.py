"""Persistent calls are checked when they are made: a program may never start them."""

import os
import subprocess
from pathlib import Path

import pytest
from weft.engines.hardware.site import read_site
from weft.machine import MachineFile

from tests.mpi.test_conformance import ENGINES, mistake_of, that_does
from tests.patience import PATIENCE_S
from tests.programs.simulator import simulated

pytestmark = pytest.mark.slow

NOWHERE = "a buffer is NULL, but its count is not 0"
UNDEFINED = "the operator is not defined on the datatype"
SAME = "sendbuf and recvbuf are the same memory; use MPI_IN_PLACE"
NO_RANK = "does not exist: the communicator has 2"
ONE, EACH = "1, MPI_INT", "ones, places, MPI_INT"
BYTES = "ones, offsets, types"
END = "W, MPI_INFO_NULL, &own"
GRID = "grid, MPI_INFO_NULL, &own"
#: What a rank calls, the error of MPICH, and what weft says.
MISTAKES = [
    ("Send_init(NULL, 3, MPI_INT, 1, 0, W, &own)", "BUFFER", NOWHERE),
    ("Ssend_init(NULL, 3, MPI_INT, 1, 0, W, &own)", "BUFFER", NOWHERE),
    ("Rsend_init(NULL, 3, MPI_INT, 1, 0, W, &own)", "BUFFER", NOWHERE),
    ("Bsend_init(NULL, 3, MPI_INT, 1, 0, W, &own)", "BUFFER", NOWHERE),
    ("Recv_init(NULL, 3, MPI_INT, 1, 0, W, &own)", "BUFFER", NOWHERE),
    ("Send_init(NULL, 3, MPI_INT, MPI_PROC_NULL, 0, W, &own)", "BUFFER", NOWHERE),
    ("Send_init(all, -1, MPI_INT, 1, 0, W, &own)", "COUNT", "a count is negative"),
    ("Send_init(all, 1, vector, 1, 0, W, &own)", "TYPE", "of what it sends is not committed"),
    ("Recv_init(all, 1, vector, 1, 0, W, &own)", "TYPE", "of what it receives is not committed"),
    ("Send_init(all, 1, MPI_INT, 2, 0, W, &own)", "RANK", f"rank 2 {NO_RANK}"),
    ("Send_init(all, 1, MPI_INT, MPI_ANY_SOURCE, 0, W, &own)", "RANK", f"rank -1 {NO_RANK}"),
    ("Recv_init(all, 1, MPI_INT, 2, 0, W, &own)", "RANK", f"rank 2 {NO_RANK}"),
    ("Recv_init(all, 1, MPI_INT, 1, 0, MPI_COMM_NULL, &own)", "COMM", "MPI_COMM_NULL has no"),
    ("Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &own)", "COMM", "MPI_COMM_NULL has no"),
    (f"Bcast_init(NULL, {ONE}, 0, {END})", "BUFFER", NOWHERE),
    (f"Bcast_init(all, {ONE}, 2, {END})", "ROOT", f"rank 2 {NO_RANK}"),
    (f"Bcast_init(all, 1, vector, 0, {END})", "TYPE", "is not committed"),
    (f"Reduce_init(NULL, all, {ONE}, MPI_SUM, 0, {END})", "BUFFER", NOWHERE),
    (f"Reduce_init(all, all + 1, 1, MPI_FLOAT, MPI_BXOR, 0, {END})", "OP", UNDEFINED),
    (f"Allreduce_init(NULL, all, {ONE}, MPI_SUM, {END})", "BUFFER", NOWHERE),
    (f"Allreduce_init(all, NULL, {ONE}, MPI_SUM, {END})", "BUFFER", NOWHERE),
    (f"Allreduce_init(all, all + 2, 1, MPI_DOUBLE, MPI_BAND, {END})", "OP", UNDEFINED),
    (f"Allreduce_init(all, all, {ONE}, MPI_SUM, {END})", "BUFFER", SAME),
    (f"Scan_init(all, NULL, {ONE}, MPI_SUM, {END})", "BUFFER", NOWHERE),
    (f"Exscan_init(all, all + 2, 1, MPI_DOUBLE, MPI_LOR, {END})", "OP", UNDEFINED),
    (f"Reduce_scatter_init(NULL, all, ones, MPI_INT, MPI_SUM, {END})", "BUFFER", NOWHERE),
    (f"Reduce_scatter_init(all, NULL, ones, MPI_INT, MPI_SUM, {END})", "BUFFER", NOWHERE),
    (f"Reduce_scatter_block_init(all, all + 2, 1, MPI_FLOAT, MPI_LAND, {END})", "OP", ""),
    (f"Gather_init(NULL, {ONE}, all, {ONE}, 0, {END})", "BUFFER", NOWHERE),
    (f"Gatherv_init(NULL, {ONE}, all, {EACH}, 0, {END})", "BUFFER", NOWHERE),
    (f"Scatter_init(all, {ONE}, NULL, {ONE}, 0, {END})", "BUFFER", NOWHERE),
    (f"Scatterv_init(all, {EACH}, NULL, {ONE}, 0, {END})", "BUFFER", NOWHERE),
    (f"Allgather_init(all, {ONE}, NULL, {ONE}, {END})", "BUFFER", NOWHERE),
    (f"Allgatherv_init(all, {ONE}, NULL, {EACH}, {END})", "BUFFER", NOWHERE),
    (f"Alltoall_init(NULL, {ONE}, all, {ONE}, {END})", "BUFFER", NOWHERE),
    (f"Alltoall_init(all, {ONE}, all, {ONE}, {END})", "BUFFER", SAME),
    (f"Alltoallv_init(all, {EACH}, NULL, {EACH}, {END})", "BUFFER", NOWHERE),
    (f"Alltoallv_init(all, {EACH}, all, {EACH}, {END})", "BUFFER", SAME),
    (f"Alltoallw_init(NULL, ones, places, types, all, ones, places, types, {END})", "BUFFER", ""),
    (f"Neighbor_allgather_init(NULL, {ONE}, all, {ONE}, {GRID})", "BUFFER", NOWHERE),
    (f"Neighbor_allgatherv_init(all, {ONE}, NULL, {EACH}, {GRID})", "BUFFER", NOWHERE),
    (f"Neighbor_alltoall_init(NULL, {ONE}, all, {ONE}, {GRID})", "BUFFER", NOWHERE),
    (f"Neighbor_alltoallv_init(all, {EACH}, NULL, {EACH}, {GRID})", "BUFFER", NOWHERE),
    (f"Neighbor_alltoallw_init(NULL, {BYTES}, all, {BYTES}, {GRID})", "BUFFER", NOWHERE),
    (f"Neighbor_alltoall_init(all, {ONE}, all + 4, {ONE}, {END})", "TOPOLOGY", "no topology"),
]
#: They say nothing of memory that the rank does not use.
RIGHT = [
    "Send_init(NULL, 0, MPI_INT, 1, 0, W, &own)",
    "Recv_init(all, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &own)",
    "Recv_init(all, 1, MPI_INT, MPI_PROC_NULL, 0, W, &own)",
    "Send_init(MPI_BOTTOM, 1, absolute, 1, 0, W, &own)",
    f"Bcast_init(NULL, 0, MPI_INT, 0, {END})",
    f"Bcast_init(MPI_BOTTOM, 1, absolute, 0, {END})",
    f"Reduce_init(all, rank ? NULL : all + 4, {ONE}, MPI_SUM, 0, {END})",
    f"Reduce_init(rank ? all : MPI_IN_PLACE, rank ? NULL : all + 4, {ONE}, MPI_SUM, 0, {END})",
    f"Allreduce_init(MPI_IN_PLACE, all, {ONE}, MPI_SUM, {END})",
    f"Exscan_init(MPI_IN_PLACE, all, {ONE}, MPI_SUM, {END})",
    f"Reduce_scatter_init(MPI_IN_PLACE, all, ones, MPI_INT, MPI_SUM, {END})",
    f"Reduce_scatter_block_init(all, all + 4, {ONE}, MPI_SUM, {END})",
    f"Gather_init(all + 4, {ONE}, rank ? NULL : all, {ONE}, 0, {END})",
    f"Gather_init(rank ? all : MPI_IN_PLACE, {ONE}, rank ? NULL : all, {ONE}, 0, {END})",
    f"Gatherv_init(all + 4, {ONE}, all, {EACH}, 0, {END})",
    f"Scatter_init(rank ? NULL : all, {ONE}, rank ? all : MPI_IN_PLACE, {ONE}, 0, {END})",
    f"Scatterv_init(all, {EACH}, all + 4, {ONE}, 1, {END})",
    f"Allgather_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, {ONE}, {END})",
    f"Allgatherv_init(all + 4, {ONE}, all, {EACH}, {END})",
    f"Alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, {ONE}, {END})",
    f"Alltoallv_init(all, {EACH}, all + 4, {EACH}, {END})",
    f"Neighbor_allgather_init(all + 4, {ONE}, all, {ONE}, {GRID})",
    f"Neighbor_alltoallw_init(all, {BYTES}, all + 4, {BYTES}, {GRID})",
    f"Bcast_init(all, {ONE}, rank ? 0 : MPI_ROOT, between, MPI_INFO_NULL, &own)",
    f"Gather_init(rank ? all : NULL, {ONE}, rank ? NULL : all, {ONE}, rank ? 0 : MPI_ROOT,"
    " between, MPI_INFO_NULL, &own)",
    f"Allgather_init(all, {ONE}, all + 4, {ONE}, between, MPI_INFO_NULL, &own)",
]
BEFORE = """static MPI_Comm grid, between;
static MPI_Datatype vector, absolute, types[2] = {MPI_INT, MPI_INT};
static MPI_Aint offsets[2] = {0, 4};
"""
OBJECTS = """MPI_Comm half; MPI_Aint at;
    MPI_Cart_create(W, 1, (int[]){2}, (int[]){1}, 0, &grid);
    MPI_Comm_split(W, rank, 0, &half);
    MPI_Intercomm_create(half, 0, W, 1 - rank, 0, &between);
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector); MPI_Get_address(all, &at);
    MPI_Type_create_hindexed_block(1, 1, &at, MPI_INT, &absolute); MPI_Type_commit(&absolute);
    """


@pytest.mark.parametrize(("call", "words"), [(call, words) for call, _, words in MISTAKES])
def test_a_persistent_call_is_refused_that_could_not_begin(call, words, tmp_path):
    error = mistake_of(f"{OBJECTS} MPI_{call};", tmp_path, BEFORE)
    name = call.partition("(")[0]
    assert f"MPI_{name}: " in error
    assert words in error


@pytest.mark.parametrize("engine", ENGINES)
def test_persistent_calls_that_could_begin_are_not_refused(engine, tmp_path):
    calls = "".join(f"MPI_{call}; MPI_Request_free(&own);\n    " for call in RIGHT)
    simulated(tmp_path, that_does(OBJECTS + calls, tmp_path, BEFORE), 2, engine=engine)


def test_mpich_refuses_the_same_persistent_calls(tmp_path):
    site = read_site(MachineFile())
    say = 'MPI_Error_class(MPI_{0}, &x); printf("{1}\\n", x == MPI_ERR_{2});\n    '
    body = f"{OBJECTS} MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);"
    body += "MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);\n    "
    body += "".join(say.format(call, f"%d {call}", error) for call, error, _ in MISTAKES)
    source = that_does(body, tmp_path, f"#include <stdio.h>\n{BEFORE}")
    program = tmp_path / "program"
    compiler = [site.mpicc, "-w", "-o", program, source]
    subprocess.run(compiler, check=True, timeout=PATIENCE_S)
    command = [site.launcher, "-n", "2", "-outfile-pattern", f"{tmp_path}/%r", program]
    subprocess.run(command, timeout=PATIENCE_S, env=dict(os.environ), cwd=tmp_path, check=True)
    lines = (Path(tmp_path) / "0").read_text().splitlines()
    assert lines == [f"1 {call}" for call, _, _ in MISTAKES]

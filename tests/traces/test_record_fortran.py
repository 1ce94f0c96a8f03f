"""The recorder of programs in Fortran, which name MPI in three forms."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.traces.recording import LIBRARIES, RANKS, recorded

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long("programs"),
    pytest.mark.usefixtures("root_may_run_in_a_folder"),
]


FORTRAN = """
program ring
    MODULE
    implicit none
    INCLUDE
    COMM :: line
    REQUEST :: requests(2)
    double precision :: a(4), b(4)
    integer :: error, rank, ranks
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Comm_split(MPI_COMM_WORLD, 0, rank, line, error)
    a = rank
    call MPI_Irecv(b, 4, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 3, line, &
                   requests(1), error)
    call MPI_Isend(a, 4, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 3, line, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call MPI_Allreduce(MPI_IN_PLACE, a, 4, MPI_DOUBLE_PRECISION, MPI_SUM, line, error)
    call MPI_Comm_free(line, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [4], [.true.], .false., line, error)
    call MPI_Neighbor_allgather(a, 2, MPI_DOUBLE_PRECISION, b, 2, MPI_DOUBLE_PRECISION, line, error)
    call MPI_Finalize(error)
end program
"""
#: How Fortran names MPI -> what a program says for it.
FORTRAN_FORMS = {
    "mpif.h": {"INCLUDE": "include 'mpif.h'"},
    "mpi": {"MODULE": "use mpi"},
    "mpi_f08": {"MODULE": "use mpi_f08", "COMM": "type(MPI_Comm)", "REQUEST": "type(MPI_Request)"},
}
PLAIN = {"MODULE": "", "INCLUDE": "", "COMM": "integer", "REQUEST": "integer"}


def in_form(text: str, form: str, folder: Path) -> Path:
    """A program of Fortran that names MPI in a form."""
    for word, meant in (PLAIN | FORTRAN_FORMS[form]).items():
        text = text.replace(f" {word}\n", f" {meant}\n").replace(f" {word} ::", f" {meant} ::")
    (source := folder / "program.f90").write_text(text)
    return source


@pytest.mark.parametrize("form", FORTRAN_FORMS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_calls_of_fortran_are_recorded(library, form, tmp_path):
    source = in_form(FORTRAN, form, tmp_path)
    rows = pq.read_table(recorded(tmp_path, source, library)).to_pylist()
    calls = ["Comm_split", "Irecv", "Isend", "Waitall", "Allreduce", "Comm_free", "Cart_create"]
    calls += ["Neighbor_alltoallv", "Compute"]
    assert [row["call"] for row in rows] == calls * RANKS
    sent = [(row["peer"], row["bytes"], row["tag"]) for row in rows if row["call"] == "Isend"]
    exchanged = [row["more"] for row in rows if row["call"] == "Neighbor_alltoallv"]
    assert exchanged == [[16] * 4] * RANKS
    assert sent == [((rank + 1) % RANKS, 32, 3) for rank in range(RANKS)]


PERSISTENT = """
program persistent
    MODULE
    implicit none
    INCLUDE
    REQUEST :: requests(2)
    double precision :: a(4), b(4)
    integer :: error
    call MPI_Init(error)
    call MPI_Bcast_init(a, 4, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &
                        requests(1), error)
    call MPI_Allreduce_init(a, b, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, &
                            MPI_INFO_NULL, requests(2), error)
    call MPI_Start(requests(1), error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call MPI_Startall(2, requests, error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    call MPI_Finalize(error)
end program
"""


@pytest.mark.parametrize("form", FORTRAN_FORMS)
def test_persistent_collectives_of_fortran_are_recorded_when_they_start(form, tmp_path):
    source = in_form(PERSISTENT, form, tmp_path)
    rows = pq.read_table(recorded(tmp_path, source, "mpich")).to_pylist()
    calls = ["Ibcast", "Wait", "Ibcast", "Iallreduce", "Waitall", "Compute"]
    assert [row["call"] for row in rows] == calls * RANKS
    assert {row["bytes"] for row in rows if row["call"] in ("Ibcast", "Iallreduce")} == {32}

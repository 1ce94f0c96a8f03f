"""Collectives in traces of OTF2: the block follows from what a rank sends and receives in sum."""

from pathlib import Path

import pytest
from weft.tables.traces import TraceError

from tests.traces.otf2_archive import Archive, ended, written


# On rank 1 of 4, root 0 or 1, with blocks of 48 bytes: what Score-P counts.
@pytest.mark.parametrize(
    ("name", "root", "sent", "received", "call"),
    [
        ("BARRIER", 0, 0, 0, "Barrier"),
        ("BCAST", 0, 0, 48, "Bcast"),
        ("BCAST", 1, 192, 48, "Bcast"),
        ("SCATTER", 1, 192, 48, "Scatter"),
        ("SCATTER", 1, 144, 0, "Scatter"),
        ("GATHER", 0, 48, 0, "Gather"),
        ("GATHER", 1, 0, 144, "Gather"),
        ("REDUCE", 1, 48, 192, "Reduce"),
        ("ALLGATHER", 0, 192, 192, "Allgather"),
        ("ALLTOALL", 0, 192, 192, "Alltoall"),
        ("ALLREDUCE", 0, 192, 192, "Allreduce"),
        ("REDUCE_SCATTER_BLOCK", 0, 192, 192, "Reduce_scatter_block"),
        ("REDUCE_SCATTER", 0, 192, 192, "Reduce_scatter_block"),
        ("ALLGATHERV", 0, 192, 192, "Allgather"),
        ("SCAN", 0, 144, 96, "Scan"),
        ("SCAN", 0, 96, 48, "Scan"),
        ("EXSCAN", 0, 96, 48, "Exscan"),
    ],
)
def test_the_sums_of_a_collective_give_its_block(
    tmp_path: Path, name: str, root: int, sent: int, received: int, call: str
) -> None:
    def fill(trace: Archive) -> None:
        rank = trace.ranks[1]
        rank.call("MPI_Call", ("mpi_collective_end", ended(trace, name, sent, received, root)))

    (row,) = written(tmp_path, 4, fill)
    block = 0 if name == "BARRIER" else 48
    rooted = {"peer": root} if call in ("Bcast", "Scatter", "Gather", "Reduce") else {}
    reduces = call in ("Reduce", "Allreduce", "Reduce_scatter_block", "Scan", "Exscan")
    element = {"element_bytes": 8} if reduces else {}
    assert row == {
        "rank": 1, "call": call, "compute_s": 0.0, "comm": 0, "bytes": block, **rooted, **element,
    }  # fmt: skip


def test_a_nonblocking_collective_ends_where_it_is_waited_for(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        for rank in trace.ranks:
            begin = ("non_blocking_collective_request", {"request_id": 4})
            done = {**ended(trace, "ALLREDUCE", 16, 16), "request_id": 4}
            rank.call("MPI_Iallreduce", begin).compute(5)
            rank.call("MPI_Wait", ("non_blocking_collective_complete", done))

    assert written(tmp_path, 2, fill, "call bytes request compute_s")[:2] == [
        {"call": "Iallreduce", "bytes": 8, "request": 0, "compute_s": 0.0},
        {"call": "Wait", "request": 0, "compute_s": pytest.approx(5e-6)},
    ]


@pytest.mark.parametrize(
    ("name", "sent", "received", "says"),
    [
        ("ALLTOALLV", 100, 90, "ALLTOALLV: OTF2 stores its bytes in sum"),
        ("ALLGATHERV", 100, 90, "ALLGATHERV of 2 ranks sends 100 B and receives 90 B"),
        ("GATHERV", 100, 0, "GATHERV: OTF2 stores its bytes in sum"),
    ],
)
def test_a_collective_with_unknown_blocks_is_refused(
    tmp_path: Path, name: str, sent: int, received: int, says: str
) -> None:
    def fill(trace: Archive) -> None:
        trace.ranks[1].call("MPI_Call", ("mpi_collective_end", ended(trace, name, sent, received)))

    with pytest.raises(TraceError, match=f"rank 1 at 0.000015000 s: {says}"):
        written(tmp_path, 2, fill)

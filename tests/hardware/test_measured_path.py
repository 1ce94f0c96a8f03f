"""The critical path of a recorded program leads to the rank that others waited for."""

import pytest
from weft.engines.hardware import measured_path
from weft.engines.hardware.known_groups import KnownGroups
from weft.engines.hardware.measured_path import MeasuredPath, PathRow
from weft.engines.hardware.recorded import RecordedCall

#: Begin and end of a call, its name, and what its row has.
Call = tuple[float, float, str, dict[str, object]]
END: dict[str, object] = {}


def path_of(*ranks: list[Call]) -> MeasuredPath:
    """The path of ranks whose calls these are; all begin at 0 s."""
    groups = KnownGroups()
    path = MeasuredPath(groups)
    for rank, calls in enumerate(ranks):
        before_s = 0.0
        for begin_s, end_s, name, more in calls:
            row = {"rank": rank, "call": name, "comm": 0, "tag": 0, "bytes": 8, "more": None,
                   "compute_s": begin_s - before_s, **more}  # fmt: skip
            groups.add(row)
            path.add(RecordedCall(row, name, end_s - begin_s, begin_s))
            before_s = end_s
    return path


def rounded(rows: list[PathRow]) -> list[tuple[object, ...]]:
    return [(*row[:-1], round(row[-1], 9)) for row in rows]


def end(at_s: float) -> Call:
    return (at_s, at_s, "Compute", END)


def test_a_receive_leads_to_the_late_sender():
    sends = [(7.0, 7.5, "Send", {"peer": 1}), end(8.0)]
    receives = [(1.0, 9.0, "Recv", {"peer": 0}), end(10.0)]
    assert rounded(path_of(sends, receives).rows()) == [
        (0, None, "compute", None, None, 1, 7.0),
        (1, "MPI_Recv", "call", 0, 1, 1, 2.0),
        (1, None, "compute", None, None, 1, 1.0),
    ]


def test_a_message_that_is_there_leads_nowhere():
    sends = [(0.5, 0.6, "Send", {"peer": 1}), end(1.0)]
    receives = [(3.0, 3.1, "Recv", {"peer": 0}), end(10.0)]
    assert rounded(path_of(sends, receives).rows()) == [
        (1, None, "compute", None, None, 2, 9.9),
        (1, "MPI_Recv", "call", None, None, 1, 0.1),
    ]


def test_a_wait_leads_to_the_sender_of_the_request_that_came_last():
    early = [(1.0, 1.1, "Isend", {"peer": 2, "request": 0}), end(2.0)]
    late = [(6.0, 6.1, "Isend", {"peer": 2, "request": 0}), end(6.2)]
    waits = [
        (0.5, 0.6, "Irecv", {"peer": 0, "request": 0}),
        (0.6, 0.7, "Irecv", {"peer": 1, "request": 1}),
        (0.8, 7.0, "Waitall", {"more": [0, 1]}),
        end(7.0),
    ]
    rows = rounded(path_of(early, late, waits).rows())
    assert rows == [
        (1, None, "compute", None, None, 1, 6.0),
        (2, "MPI_Waitall", "call", 1, 2, 1, 1.0),
    ]


def test_a_send_that_waits_leads_to_the_late_receiver():
    sends = [(1.0, 9.0, "Send", {"peer": 1}), end(9.0)]
    receives = [(8.0, 8.9, "Recv", {"peer": 0}), end(8.9)]
    assert rounded(path_of(sends, receives).rows())[0] == (1, None, "compute", None, None, 1, 8.0)


def test_a_collective_leads_to_the_last_rank_and_a_broadcast_to_its_root():
    arrivals = (1.0, 6.0, 3.0)
    ranks = [[(at, 6.5, "Allreduce", {}), end(6.5 + rank)] for rank, at in enumerate(arrivals)]
    assert rounded(path_of(*ranks).rows()) == [
        (1, None, "compute", None, None, 1, 6.0),
        (2, None, "compute", None, None, 1, 2.0),
        (2, "MPI_Allreduce", "call", None, None, 1, 0.5),
    ]
    root = {"peer": 2}
    ranks = [[(at, 6.5, "Bcast", root), end(6.5 + (rank == 0))] for rank, at in enumerate(arrivals)]
    assert rounded(path_of(*ranks).rows())[0] == (0, "MPI_Bcast", "call", None, None, 1, 3.5)


def test_the_pieces_add_up_to_the_time_of_the_program():
    sends = [(7.0, 7.5, "Send", {"peer": 1}), (7.6, 11.0, "Barrier", {}), end(11.0)]
    receives = [(1.0, 9.0, "Recv", {"peer": 0}), (10.0, 11.0, "Barrier", {}), end(11.5)]
    rows = path_of(sends, receives).rows()
    assert sum(row[-1] for row in rows) == pytest.approx(11.5)


def test_behind_a_receive_of_any_rank_no_sender_is_known():
    sends = [(7.0, 7.5, "Send", {"peer": 1}), (7.6, 7.7, "Send", {"peer": 1}), end(8.0)]
    receives = [(1.0, 9.0, "Recv", {"peer": -1}), (9.1, 9.2, "Recv", {"peer": 0}), end(10.0)]
    path = path_of(sends, receives)
    assert {row[0] for row in path.rows()} == {1}
    assert path.notes == [
        "critical_path goes on in its rank at 2 receives whose senders are not known, behind one "
        "of any rank or tag"
    ]


def test_of_too_many_calls_there_is_no_path(monkeypatch):
    monkeypatch.setattr(measured_path, "MOST_CALLS", 3)
    path = path_of([(1.0, 2.0, "Barrier", {}), end(2.0)], [(1.5, 2.0, "Barrier", {}), end(2.0)])
    assert path.rows() == []
    (note,) = path.notes
    assert note == "the program makes more than 3 calls: the table critical_path is left out"


def test_messages_match_in_communicators_by_the_places_there():
    split = {"more": [2, 0, 0]}
    ranks: list[list[Call]] = []
    for rank in range(2):
        made = (0.1, 0.2, "Comm_split", {**split, "more": [2 + rank, 0, 1 - rank]})
        own = {"comm": 2 + rank}
        # The receiver, rank 0, has the place 1 there.
        call = (7.0, 7.1, "Send", {**own, "peer": 1}) if rank else (
            1.0, 8.0, "Recv", {**own, "peer": 0})  # fmt: skip
        ranks.append([made, call, end(8.0 - rank / 2)])
    assert rounded(path_of(*ranks).rows())[0] == (1, None, "compute", None, None, 2, 6.9)


def of_neighbours(made: str, numbers: list[int], arrivals: tuple[float, ...]) -> MeasuredPath:
    """Ranks that make a topology and exchange blocks in it: the last one ends last."""
    ranks: list[list[Call]] = []
    for rank, at in enumerate(arrivals):
        calls: list[Call] = [(0.1, 0.2, made, {"more": [2, 0, rank, *numbers]})]
        calls += [(at, 9.0, "Neighbor_alltoallv", {"comm": 2})]
        ranks.append([*calls, end(9.0 + (rank == len(arrivals) - 1))])
    return path_of(*ranks)


def test_an_exchange_leads_to_the_last_of_the_neighbours():
    # A line of four: rank 0 comes last, and the last rank waits for rank 2 alone.
    line = of_neighbours("Cart_create", [4, 0], (8.0, 1.0, 5.0, 2.0))
    assert (3, "MPI_Neighbor_alltoallv", "call", 2, 3, 1, 4.0) in rounded(line.rows())
    ring = of_neighbours("Cart_create", [4, 1], (8.0, 1.0, 5.0, 2.0))
    assert ("MPI_Neighbor_alltoallv", 0, 3) in {(row[1], row[3], row[4]) for row in ring.rows()}


def test_an_exchange_in_a_graph_leads_to_the_source():
    # Every rank hears from rank 1 and sends to all.
    graph = of_neighbours("Dist_graph_create_adjacent", [1, 1, 0, 1, 2], (8.0, 6.0, 5.0))
    assert ("MPI_Neighbor_alltoallv", 1, 2) in {(row[1], row[3], row[4]) for row in graph.rows()}

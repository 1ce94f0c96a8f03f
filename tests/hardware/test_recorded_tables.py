"""Tables of a recorded program: who sent to whom, also in communicators, and what ranks did."""

import csv
from pathlib import Path

import pytest
from weft.engines.hardware.call_tables import CallTables
from weft.engines.hardware.known_groups import KnownGroups
from weft.engines.hardware.rank_courses import MOST_RANKS, RankCourses
from weft.engines.hardware.rank_pairs import SentMessages
from weft.engines.hardware.recorded import RecordedCall


def call(rank: int, name: str, comm: int = 0, **more: object) -> dict:
    return {"rank": rank, "call": name, "comm": comm, "bytes": 0, "compute_s": 0.0, **more}


def sent(rank: int, peer: int, comm: int = 0) -> dict:
    return {**call(rank, "Isend", comm), "peer": peer, "bytes": 100}


def pairs(rows: list[dict]) -> list[tuple[int, int, int, int]]:
    groups = KnownGroups()
    found = SentMessages(groups)
    for row in rows:
        groups.add(row)
        found.add(row)
    return list(found.rows())


def test_messages_of_a_pair_are_added_up_and_receives_are_none_of_the_receiver():
    rows = [sent(0, 1), sent(0, 1), call(1, "Irecv", peer=0), sent(1, 0)]
    assert pairs(rows) == [(0, 1, 2, 200), (1, 0, 1, 100)]


def test_a_destination_in_a_communicator_is_its_rank_among_all():
    # Even and odd ranks, the higher ones first; the ranks have other numbers for the new one.
    made = [
        call(rank, "Comm_split", more=[2 + rank, rank % 2, (3 - rank) // 2]) for rank in range(4)
    ]
    rows = [*made, sent(0, 0, comm=2), sent(3, 1, comm=5)]
    assert pairs(rows) == [(0, 2, 1, 100), (3, 1, 1, 100)]


def test_a_copy_of_a_communicator_has_its_members():
    rows = [call(rank, "Comm_split", more=[2, 0, 1 - rank]) for rank in (0, 1)]
    rows += [call(rank, "Comm_dup", comm=2, more=[3]) for rank in (0, 1)]
    assert pairs([*rows, sent(0, 0, comm=3)]) == [(0, 1, 1, 100)]


def test_a_communicator_of_a_group_has_the_members_in_its_order():
    # Ranks 1 to 3 of four, the last first. Rank 0 makes none, and then a split with all others.
    rows = [call(rank, "Comm_create_group", more=[2, 3, 2, 1], tag=1) for rank in (1, 2, 3)]
    rows += [call(rank, "Comm_split", more=[4, 0, 3 - rank]) for rank in range(4)]
    assert pairs([*rows, sent(1, 0, comm=2), sent(2, 3, comm=4)]) == [
        (1, 3, 1, 100),
        (2, 0, 1, 100),
    ]


def test_a_put_counts_in_the_communicator_of_its_window_and_a_lock_is_no_message():
    rows = [call(rank, "Comm_split", more=[2, 0, 1 - rank]) for rank in (0, 1)]
    rows += [call(rank, "Win_create", comm=2, file=0) for rank in (0, 1)]
    rows += [call(0, "Comm_free", comm=2), call(0, "Win_lock", file=0, peer=0)]
    put = {**call(0, "Put", file=0), "peer": 0, "bytes": 100}
    assert pairs([*rows, put]) == [(0, 1, 1, 100)]


def test_a_number_that_is_free_again_is_that_of_the_next_communicator():
    rows = [call(rank, "Comm_split", more=[2, 0, rank]) for rank in (0, 1)]
    rows += [call(rank, "Comm_free", comm=2) for rank in (0, 1)]
    rows += [call(rank, "Comm_split", more=[2, 0, 1 - rank]) for rank in (0, 1)]
    assert pairs([*rows, sent(0, 0, comm=2)]) == [(0, 1, 1, 100)]


def test_times_of_intervals_add_up_to_the_course():
    courses = RankCourses()
    for number in range(1000):
        courses.add(0, 1e-3 * (number % 7), 1e-3 * (number % 3))
    found = list(courses.intervals(0))
    assert len(found) <= 256
    whole = sum(1e-3 * (n % 7) for n in range(1000)), sum(1e-3 * (n % 3) for n in range(1000))
    assert sum(each.compute_s for each in found) == pytest.approx(whole[0])
    assert sum(each.call_s for each in found) == pytest.approx(whole[1])
    for each in found:
        assert each.compute_s + each.call_s == pytest.approx(each.end_s - each.start_s)
    assert [a.end_s for a in found[:-1]] == [b.start_s for b in found[1:]]


def test_neighbours_in_which_a_rank_does_one_thing_are_one_interval():
    courses = RankCourses()
    courses.add(0, 1.0, 1.0)
    courses.add(1, 0.5, 0.5)
    ends = {rank: [(e.start_s, e.end_s) for e in courses.intervals(rank)] for rank in (0, 1)}
    assert ends == {0: [(0, 1), (1, 2)], 1: [(0, 0.5), (0.5, 1)]}
    assert [e.compute_s for e in courses.intervals(0)] == [1, 0]


def test_of_many_ranks_those_at_quantiles_of_the_time_in_calls_are_shown():
    courses = RankCourses()
    for rank in range(1000):
        courses.add(rank, 1.0, float(1000 - rank))
    shown = courses.shown()
    assert len(shown) == MOST_RANKS
    assert (shown[0], shown[-1]) == ((999, 0.0), (0, 1.0))


def test_calls_are_counted_with_their_time_and_the_end_is_none(tmp_path: Path):
    tables = CallTables()
    recorded = [
        RecordedCall(call(0, "Barrier"), "Barrier", 2e-6),
        RecordedCall(call(0, "Barrier"), "Barrier", 3e-6),
        RecordedCall(call(0, "Compute"), "Compute", 0.0),
    ]
    assert len(list(tables.watched(recorded))) == 3
    tables.write(tmp_path, "p")
    with (tmp_path / "calls-p.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["rank"], row["call"], row["count"]) == ("0", "MPI_Barrier", "2")
    assert float(row["time_s"]) == pytest.approx(5e-6)

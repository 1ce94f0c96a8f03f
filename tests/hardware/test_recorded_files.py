"""What the recorder has written is read a piece at a time, however many calls it holds."""

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.engines.hardware.rank_courses import MOST_INTERVALS, RankCourses
from weft.engines.hardware.recorded import MAGIC, CutError, is_of_one_node, recorded_calls

#: Ticks, nanoseconds and the begin, one rank, the rank 0, its boot, one name of a call.
HEAD = (
    MAGIC + struct.pack("=qqq", 1, 1, 500) + bytes([2, 0, 2]) + b"b" + bytes([2, 14]) + b"Barrier"
)
#: The call, nothing differs, 1 ns of the recorder, 3 ns of computing, 2 ns in the call.
EVENT = bytes([0, 0, 2, 6, 4])
#: The end, and no call that traces do not have.
END = bytes([255, 0])
SIZE_BYTES = 20_000_000
CALLS = 200_000


def peak_bytes(work: Callable[[], object]) -> int:
    """The most memory that `work` holds."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_file_is_not_held_whole(tmp_path: Path) -> None:
    (tmp_path / "rank-0.rec").write_bytes(HEAD + EVENT * (SIZE_BYTES // len(EVENT)) + END)
    calls = recorded_calls(tmp_path, 1)
    assert peak_bytes(lambda: next(calls)) < SIZE_BYTES / 5


def test_calls_lie_across_pieces_of_a_file(tmp_path: Path) -> None:
    # A piece is no multiple of an event, so that one lies on both sides of some border.
    count = 3 * (1 << 20) // len(EVENT)
    (tmp_path / "rank-0.rec").write_bytes(HEAD + EVENT * count + END)
    found = sum(
        (call.name, call.inside_s) == ("Barrier", 2e-9) for call in recorded_calls(tmp_path, 1)
    )
    assert found == count


def test_a_file_that_ends_within_a_call_is_named(tmp_path: Path) -> None:
    (tmp_path / "rank-0.rec").write_bytes(HEAD + EVENT + EVENT[:3])
    with pytest.raises(CutError, match=r"rank-0\.rec is cut: the rank did not come to MPI_Fin"):
        list(recorded_calls(tmp_path, 1))


def test_all_ranks_are_in_the_time_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "rank-0.rec").write_bytes(HEAD + EVENT * 2 + END)
    late = HEAD.replace(struct.pack("=q", 500), struct.pack("=q", 507))
    (tmp_path / "rank-1.rec").write_bytes(late + EVENT + END)
    begins_s = [call.begin_s for call in recorded_calls(tmp_path, 2)]
    assert begins_s == pytest.approx([4e-9, 10e-9, 11e-9])
    assert is_of_one_node(tmp_path, 2)
    (tmp_path / "rank-1.rec").write_bytes(late.replace(b"\2b", b"\2c") + EVENT + END)
    assert not is_of_one_node(tmp_path, 2)


def many_calls(courses: RankCourses) -> None:
    """A rank that only computes for the first half of its time, and is only in calls later."""
    for number in range(CALLS):
        is_late = number >= CALLS // 2
        courses.add(0, 0.0 if is_late else 1e-6, 1e-6 if is_late else 0.0)


def test_the_course_of_a_rank_needs_as_much_memory_for_many_calls_as_for_few() -> None:
    courses = RankCourses()
    assert peak_bytes(lambda: many_calls(courses)) < 8 * CALLS / 4


def test_of_many_calls_the_course_is_right_to_a_part_of_an_interval() -> None:
    courses = RankCourses()
    many_calls(courses)
    whole_s = CALLS * 1e-6
    found = list(courses.intervals(0))
    assert sum(each.compute_s for each in found) == pytest.approx(whole_s / 2)
    assert sum(each.call_s for each in found) == pytest.approx(whole_s / 2)
    early_s = sum(each.call_s for each in found if each.end_s <= whole_s / 2)
    late_s = sum(each.compute_s for each in found if each.start_s >= whole_s / 2)
    assert max(early_s, late_s) <= whole_s / MOST_INTERVALS / 4

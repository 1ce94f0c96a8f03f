"""Traces of SimGrid as traces of weft, and mistakes with file and line."""

from pathlib import Path

import pytest
from weft.tables.traces import TraceError
from weft.traces.tit import tit_ranks, tit_rows

ONE = """0 init
1 init
0 compute 1e6
0 send 1 0 1e3
1 recv 0 0 1000
0 irecv 1 5 10 1
1 isend 0 5 10 1
1 compute 2e6
0 wait 1 0 5
1 waitall
0 allreduce 4 2e6 0
1 allreduce 4 2e6 0
0 bcast 7 1
1 bcast 7 1
0 gather 3 5 0 1 0
1 gather 3 5 0 1 0
0 alltoall 3 5
1 alltoall 3 5
0 barrier
1 barrier
0 sleep 0.5
0 finalize
1 finalize
"""


def rows(folder: Path, text: str, flops: float = 1e9):
    path = folder / "x.txt"
    path.write_text(text)
    return list(tit_rows(path, tit_ranks(path), flops))


def of_rank(found, rank):
    names = ("call", "peer", "bytes", "element_bytes", "request", "more")
    return [tuple(row[n] for n in names if n in row) for row in found if row["rank"] == rank]


def test_actions_are_calls(tmp_path):
    found = rows(tmp_path, ONE)
    assert of_rank(found, 0) == [
        ("Send", 1, 1000, 1), ("Irecv", 1, 40, 4, 0), ("Wait", 0), ("Allreduce", 32, 8),
        ("Compute",), ("Bcast", 1, 7, 1), ("Gather", 0, 40, 8), ("Alltoall", 5, 1), ("Barrier",),
        ("Compute",),
    ]  # fmt: skip
    assert of_rank(found, 1)[:3] == [("Recv", 0, 1000, 1), ("Isend", 0, 40, 4, 0), ("Waitall", [0])]
    assert of_rank(found, 1)[-4] == ("Gather", 0, 12, 4)
    times = [row["compute_s"] for row in found if row["rank"] == 0]
    assert times[0] == pytest.approx(1e-3)
    assert times[4] == pytest.approx(2e-3)
    assert times[-1] == 0.5


def test_a_type_in_the_first_action_changes_the_element(tmp_path):
    found = rows(tmp_path, "0 init 1\n0 send 0 0 3\n0 finalize\n")
    assert of_rank(found, 0)[0] == ("Send", 0, 24, 8)


def test_waits_of_equal_messages_end_them_in_their_order(tmp_path):
    text = 2 * "0 irecv 0 5 10\n" + 2 * "0 isend 0 5 10\n" + 2 * "0 wait 0 0 5\n"
    found = of_rank(rows(tmp_path, text), 0)
    assert found[4:] == [("Wait", 0), ("Wait", 1), ("Compute",)]


def test_a_rank_without_actions_is_named_and_a_large_number_makes_no_ranks(tmp_path):
    with pytest.raises(
        TraceError, match=r"x\.txt has actions of rank 4000000000, but none of rank 1"
    ):
        rows(tmp_path, "0 init\n4000000000 init\n")


def test_a_main_file_lists_those_of_the_ranks(tmp_path):
    (tmp_path / "a").write_text("0 barrier\n")
    (tmp_path / "b").write_text("1 compute 5\n1 barrier\n")
    found = rows(tmp_path, "a\nb\n")
    assert of_rank(found, 0) == of_rank(found, 1) == [("Barrier",), ("Compute",)]
    (tmp_path / "b").write_text("0 barrier\n")
    with pytest.raises(TraceError, match="b line 1: an action of another rank in the file of rank"):
        rows(tmp_path, "a\nb\n")
    with pytest.raises(TraceError, match="c cannot be read"):
        rows(tmp_path, "a\nc\n")


WRONG = [
    ("0 sendrecv 1 2", "line 1: weft does not read the action 'sendrecv'"),
    ("0 send 0 0", "line 1: the action has too few numbers"),
    ("0 send 1 0 8", "line 1: rank 1, ranks are 0 to 0"),
    ("0 send 0 0 -8", "line 1: the size is -8, must be 0 or more"),
    ("0 send 0 0 8.5", "line 1: the size is 8.5, must be a whole number"),
    ("0 send 0 0 8 99", "line 1: weft does not know the size of the type 99"),
    ("0 barrier\n0 compute fast", "line 2: compute is 'fast', must be a number"),
    ("0 send 0 4294967296 5", "line 1: the tag is 4294967296, must be at most 2147483647"),
    ("0 bcast 8 3", "line 1: the root is 3, ranks are 0 to 0"),
    ("0 compute 1e299", "line 1: it computes 1e+290 s, must be at most 3.6e+09 s"),
    ("", "x.txt is empty"),
]


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_a_mistake_is_named_with_file_and_line(text, words, tmp_path):
    with pytest.raises(TraceError) as found:
        rows(tmp_path, text)
    assert "x.txt" in str(found.value)
    assert words in str(found.value)

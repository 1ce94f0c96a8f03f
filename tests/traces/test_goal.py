"""GOAL schedules as traces: what their dependencies mean, and mistakes with file and line."""

import gzip
from pathlib import Path

import pytest
from weft.tables.traces import TraceError
from weft.traces.goal import goal_ranks, goal_rows

TWO = """
num_ranks 2
// a comment
rank 0 {
l1: calc 1500 cpu 0
l2: send 64b to 1 tag 7 cpu 0 nic 0
l2 requires l1
}
rank 1 { /* several
lines */
l1: recv 64b from 0 tag 7
l2: calc 10
l2 requires l1
}
"""


def rows(folder: Path, text: str):
    path = folder / "x.goal"
    path.write_text(text)
    return list(goal_rows(path, goal_ranks(path)))


def brief(found):
    return [(row["rank"], row["call"], row.get("request", row.get("more"))) for row in found]


def test_a_schedule_is_a_trace(tmp_path):
    found = rows(tmp_path, TWO)
    assert brief(found) == [
        (0, "Compute", None), (0, "Isend", 0), (0, "Wait", 0),
        (1, "Irecv", 0), (1, "Wait", 0), (1, "Compute", None),
    ]  # fmt: skip
    assert found[0]["compute_s"] == pytest.approx(1.5e-6)
    assert found[1] == {"rank": 0, "call": "Isend", "peer": 1, "bytes": 64, "tag": 7, "request": 0}


def test_an_operation_waits_only_for_what_it_requires(tmp_path):
    text = """num_ranks 1
rank 0 {
a: recv 8b from 0 tag 1
b: recv 8b from 0 tag 2
c: calc 1
s: send 8b to 0 tag 1
t: send 8b to 0 tag 2
c requires b
s irequires a
}
"""
    assert brief(rows(tmp_path, text)) == [
        (0, "Irecv", 0), (0, "Irecv", 1), (0, "Wait", 1), (0, "Compute", None), (0, "Isend", 1),
        (0, "Isend", 2), (0, "Waitall", [0, 1, 2]),
    ]  # fmt: skip


def test_operations_stand_behind_what_they_need_whatever_the_order_of_the_file(tmp_path):
    text = "num_ranks 1\nrank 0 {\nb: calc 2\na: calc 1\nb requires a\n}\n"
    assert [row["compute_s"] for row in rows(tmp_path, text)] == pytest.approx([1e-9, 2e-9])


def test_a_compressed_schedule_is_read(tmp_path):
    path = tmp_path / "x.goal.gz"
    path.write_bytes(gzip.compress(TWO.encode()))
    assert len(list(goal_rows(path, goal_ranks(path)))) == 6
    path.write_bytes(gzip.compress(TWO.encode())[:-12])
    with pytest.raises(TraceError, match=r"x\.goal\.gz cannot be read"):
        list(goal_rows(path, 2))


BODY = "num_ranks 2\nrank 0 {{\n{}\n}}\nrank 1 {{\n}}\n"
WRONG = [
    ("rank 0 {\n}\n", "line 1: a schedule begins with num_ranks"),
    ("num_ranks 2\nrank 0 {\n}\n", "has 1 ranks, but num_ranks is 2"),
    ("num_ranks 2\nrank 1 {\n}\n", "line 2: rank 1, but the next one of 2 is 0"),
    ("num_ranks 1\nrank 0 {\ncalc 1\n", "line 2: the rank has no end: is the file cut?"),
    (BODY.format("l1: send 8b to 2 tag 0"), "line 3: rank 2, ranks are 0 to 1"),
    (BODY.format("l1: send 8b to -1 tag 0"), "line 3: rank -1"),
    (BODY.format("l1: send 8b to 1 tag -1"), "line 3: a send needs a tag"),
    (BODY.format("l1: put 8b to 1"), "line 3: 'l1: put 8b to 1' is no operation"),
    (BODY.format("l1: calc 1\nl1: calc 2"), "line 4: there are two operations l1"),
    (BODY.format("l1: calc 1\nl1 requires l2"), "line 4: there is no operation l2"),
    (BODY.format("a: calc 1\nb: calc 1\na requires b\nb requires a"), "line 3: the operation dep"),
    (BODY.format("a: calc 9999999999999999999"), "line 3: it computes 1e+10 s, must be"),
    (BODY.format("calc 1 cpu 0\ncalc 1 cpu 1"), "line 4: a rank uses several cpus"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_a_mistake_is_named_with_file_and_line(text, words, tmp_path):
    with pytest.raises(TraceError) as found:
        rows(tmp_path, text)
    assert "x.goal" in str(found.value)
    assert words in str(found.value)


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        ("send 8b to 0 tag 4294967295", "the tag is 4294967295, must be at most 2147483647"),
        (f"send {2**63}b to 0", f"the size is {2**63}, must be at most {2**63 - 1}"),
    ],
)
def test_a_number_that_no_trace_holds_is_a_mistake_of_its_line(operation, reason, tmp_path):
    with pytest.raises(TraceError, match=f"x.goal line 3: {reason}"):
        rows(tmp_path, f"num_ranks 1\nrank 0 {{\n{operation}\n}}\n")

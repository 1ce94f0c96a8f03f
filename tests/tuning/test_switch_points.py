"""Switch points: from the best algorithm at some ranks and sizes to tables for all of them."""

import pytest
from pydantic import TypeAdapter
from weft.config.model.choice_by_size import or_table
from weft.tuning.openmpi import dynamic_rules
from weft.tuning.switch_points import Bucket, Step, buckets, merged, rows, rules

A, B = {"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 1.0}
#: Two and four ranks switch at different sizes, eight as four.
VALUES = {
    (2, 64): A, (2, 256): A, (2, 1024): B,
    (4, 64): A, (4, 256): B, (4, 1024): B,
    (8, 64): A, (8, 256): B, (8, 1024): B,
}  # fmt: skip


def test_neighbours_divide_what_lies_between_them_at_the_geometric_mean() -> None:
    two, four, eight = buckets(VALUES, min)
    assert two == Bucket(2, 2, (Step(512, "a"), Step(None, "b")))
    assert four == Bucket(4, 5, (Step(128, "a"), Step(None, "b")))
    assert (eight.up_to_ranks, eight.steps) == (None, four.steps)


def test_numbers_of_ranks_that_choose_alike_share_their_rows() -> None:
    assert [each.ranks for each in merged(buckets(VALUES, min))] == [2, 8]
    assert rows(buckets(VALUES, min)) == [
        {"up_to": 512, "up_to_ranks": 2, "use": "a"},
        {"up_to_ranks": 2, "use": "b"},
        {"up_to": 128, "use": "a"},
        {"use": "b"},
    ]


def test_rules_are_those_that_an_experiment_makes_of_the_rows() -> None:
    table = buckets(VALUES, min)
    of_experiment = TypeAdapter(or_table(str, ["a", "b"]))
    written = [
        {key: f"{value} B" if key == "up_to" else value for key, value in row.items()}
        for row in rows(table)
    ]
    assert rules(table) == of_experiment.validate_python(written)
    assert rules(table) == "bytes<=512 ranks<=2: a; ranks<=2: b; bytes<=128: a; b"


def test_where_higher_is_better_the_highest_wins() -> None:
    assert [each.steps[0].use for each in buckets(VALUES, max)] == ["b", "b", "b"]


def test_only_what_a_library_has_is_compared() -> None:
    (bucket,) = buckets({(4, 64): {"a": 1.0, "b": 2.0, "c": 3.0}}, min, {"b", "c"})
    assert bucket.steps == (Step(None, "b"),)
    with pytest.raises(ValueError, match=r"none of d was asked at \(4, 64\)"):
        buckets({(4, 64): {"a": 1.0}}, min, ["d"])


def test_open_mpi_counts_all_blocks_and_says_from_where_on() -> None:
    table = [
        Bucket(2, 2, (Step(None, "ring"),)),
        Bucket(4, None, (Step(512, "bruck"), Step(None, "ring"))),
    ]
    lines = [line.partition(" #")[0] for line in dynamic_rules({"allgather": table}).splitlines()]
    assert lines == ["1", "0", "2", "1", "1", "0 4 0 0", "3", "2", "0 2 0 0", "2052 4 0 0"]

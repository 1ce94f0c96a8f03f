"""Choices that a table makes by the size of a message and the number of ranks."""

import pytest
from weft.plan import expand

PROGRAM = """engines: [rdma]
defaults:
  - override /workload: pingpong
engine:
  rdma:
"""


def asked(tree, written):
    tree.experiment(f"{PROGRAM}    allreduce_algorithm: {written}\n")
    return expand(tree.load())[0].spec["options"]["allreduce_algorithm"]


@pytest.mark.parametrize("name", ["ring", "mpich", "openmpi"])
def test_a_name_is_passed_on(tree, name):
    assert asked(tree, name) == name


@pytest.mark.parametrize(
    ("table", "rules"),
    [
        ("[{use: ring}]", "ring"),
        (
            "[{up_to: 2 KiB, use: recursive_doubling}, {use: rabenseifner}]",
            "bytes<=2048: recursive_doubling; rabenseifner",
        ),
        (
            "[{up_to: 64 B, up_to_ranks: 8, use: linear}, {up_to_ranks: 64, use: ring}, "
            "{use: rabenseifner}]",
            "bytes<=64 ranks<=8: linear; ranks<=64: ring; rabenseifner",
        ),
    ],
)
def test_a_table_is_rules_in_the_spec(tree, table, rules):
    assert asked(tree, table) == rules


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("rign", "did you mean 'ring'"),
        ("[]", "at least 1"),
        ("[{up_to: 2 KiB, use: ring}]", "the last row must apply to all others"),
        ("[{use: ring}, {use: linear}]", "row 1 applies to everything"),
        ("[{up_to: 2 KiB, use: rign}, {use: ring}]", "rign"),
        ("[{up_to: 2 KiB, use: mpich}, {use: ring}]", "mpich"),
        ("[{upto: 2 KiB, use: ring}, {use: ring}]", "up_to"),
        ("[{up_to: 2048, use: ring}, {use: ring}]", "unit"),
        ("[{up_to_ranks: 0, use: ring}, {use: ring}]", "up_to_ranks"),
    ],
)
def test_a_wrong_table_is_refused_with_its_place(tree, written, message):
    with pytest.raises(Exception, match=r"allreduce_algorithm") as wrong:
        asked(tree, written)
    print(wrong.value)
    assert message in str(wrong.value)


def test_tables_and_names_are_swept(tree):
    tree.experiment(
        f"{PROGRAM.rpartition('engine:')[0]}sweep:\n  engine.rdma.allreduce_algorithm:\n"
        "    - mpich\n    - [{up_to: 2 KiB, use: ring}, {use: rabenseifner}]\n"
    )
    points = expand(tree.load())
    found = [point.spec["options"]["allreduce_algorithm"] for point in points]
    assert found == ["mpich", "bytes<=2048: ring; rabenseifner"]
    assert [p.coordinates["options.allreduce_algorithm"] for p in points] == found

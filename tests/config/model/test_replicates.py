"""How often points are computed, also by engine."""

import json

import pytest
from weft.config.generate.schema import schemas
from weft.plan import expand

from tests.config.schema_support import validator

#: The largest seed that tables and simulators hold.
LARGEST = 2**63 - 1
BODY = "engines: [flow, packet]\nseed: 5\nreplicates: {}\n"


def seeds(tree, written, *overrides):
    tree.experiment(BODY.format(written))
    return [(p.engine, p.seed, p.replicate) for p in expand(tree.load(overrides))]


def test_each_engine_has_its_own_number(tree):
    assert seeds(tree, "{flow: 2, packet: 1}") == [("flow", 5, 0), ("flow", 6, 1), ("packet", 5, 0)]


def test_an_engine_that_is_left_out_is_asked_once(tree):
    assert seeds(tree, "{packet: 2}") == [("flow", 5, 0), ("packet", 5, 0), ("packet", 6, 1)]


def test_an_override_replaces_a_section_by_a_number(tree):
    assert len(seeds(tree, "{flow: 9}", "replicates=2")) == 4


def test_seeds_count_up_to_the_largest(tree):
    tree.experiment(f"engines: [flow]\nseed: {LARGEST - 2}\nreplicates: 3\n")
    points = expand(tree.load())
    assert [point.seed for point in points] == [LARGEST - 2, LARGEST - 1, LARGEST]
    assert len({point.point_id for point in points}) == 3
    assert json.loads(json.dumps([point.spec["seed"] for point in points])) == [
        point.seed for point in points
    ]


@pytest.mark.parametrize("counts", ["4", "{packet: 4}", "{flow: 4}", "2000000"])
def test_seeds_beyond_the_largest_are_refused(tree, counts):
    first = LARGEST - 2
    last = first + (4 if counts != "2000000" else 2_000_000) - 1
    body = f"engines: [flow, packet]\nseed: {first}\nreplicates: {counts}\n"
    tree.experiment(body)
    wrong = {error.key: error.message for error in tree.errors()}
    assert wrong["seed"] == f"the last replicate has seed {last}; seeds are at most {LARGEST}"


def test_a_number_given_by_engine_keeps_point_ids(tree):
    tree.experiment(BODY.format(2))
    before = {point.point_id for point in expand(tree.load())}
    tree.experiment(BODY.format("{flow: 2, packet: 2}"))
    assert {point.point_id for point in expand(tree.load())} == before


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("{flwo: 2}", "replicates", "did you mean 'flow'? allowed: flow, packet"),
        ("{hardware: 2}", "replicates", "unknown engine 'hardware'"),
        ("{flow: 0}", "replicates.flow", "greater than or equal to 1"),
        ("0", "replicates", "greater than or equal to 1"),
        ("often", "replicates", "expected a whole number"),
    ],
)
def test_wrong_numbers_are_reported_once(tree, written, key, message):
    tree.refuses(BODY.format(written), key, message)


@pytest.mark.slow
def test_the_schema_takes_both(tree):
    schema = validator(schemas()["experiment.schema.json"])
    good = {"title": "t", "question": "q", "engines": ["flow"]}
    for count in (3, {"flow": 3}):
        assert schema.is_valid({**good, "replicates": count})
    assert not schema.is_valid({**good, "replicates": {"flow": "3"}})

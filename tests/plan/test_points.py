"""Points are columns: equal to what they were made of, written and read back, and small."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.machine import MachineFile
from weft.plan import Plan, Point, Points, Shard, expand, read_plan, write_plan
from weft.plan.model import canonical_json

WORDS = st.text("abcdefgh.é_", min_size=1, max_size=5)
WHOLE = st.integers(-(2**63), 2**63 - 1)
PLAIN = st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | WORDS
VALUES = st.recursive(PLAIN, lambda each: st.lists(each, max_size=3), max_leaves=4)
SECTIONS = st.dictionaries(WORDS, VALUES, max_size=3)
SPECS = st.dictionaries(
    st.sampled_from(["topology", "network", "workload", "options"]), SECTIONS, max_size=4
)


@st.composite
def points(draw):
    found = []
    for number in draw(st.lists(st.integers(0, 2**48 - 1), unique=True, max_size=9)):
        engine, seed = draw(st.sampled_from(["flow", "packet"])), draw(WHOLE)
        spec = {"engine": engine, **draw(SPECS), "seed": seed}
        coordinates = draw(st.dictionaries(WORDS, VALUES, max_size=3))
        found.append(Point(f"{number:012x}", engine, draw(WHOLE), seed, spec, coordinates))
    return found


def strict(found):
    """With the types of numbers, so that True is not 1."""
    return [repr((p.point_id, p.replicate, sorted(p.spec), p.spec, p.coordinates)) for p in found]


def ordered(found):
    """Coordinates stand in the order of their keys."""
    return [
        Point(
            p.point_id, p.engine, p.replicate, p.seed,
            {"engine": p.engine, **{k: in_order(p.spec[k]) for k in
             ("topology", "network", "workload", "options") if k in p.spec}, "seed": p.seed},
            in_order(p.coordinates),
        )
        for p in found
    ]  # fmt: skip


def in_order(values):
    return {key: values[key] for key in sorted(values)}


@pytest.mark.slow
@given(points())
@settings(max_examples=200, deadline=None)
def test_points_are_what_they_were_made_of(made):
    found = Points.of(made)
    assert strict(found) == strict(ordered(made))
    assert [found[i] for i in range(len(found))] == list(found) == made
    assert list(found[::-2]) == made[::-2]
    assert found.places([p.point_id for p in made[::-1]]).tolist() == [*range(len(made))][::-1]


@pytest.mark.slow
@given(points())
@settings(max_examples=100, deadline=None)
def test_settings_are_what_points_differ_in_beside_their_seeds(made):
    found, like = Points.of(made).settings()

    def setting(point):
        spec = {key: value for key, value in point.spec.items() if key != "seed"}
        return canonical_json([point.engine, spec, point.coordinates])

    assert [setting(p) for p in found] == list(dict.fromkeys(map(setting, made)))
    assert [setting(found[place]) for place in like.tolist()] == list(map(setting, made))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("plans")


@pytest.mark.slow
@given(points())
@settings(max_examples=100, deadline=None)
def test_a_plan_reads_back_as_written(folder, made):
    ids = tuple(point.point_id for point in made)
    shards = (Shard("1", "flow", "1", ids[:4]), Shard("2", "flow", "1", (*ids[4:], "gone")))
    plan = Plan(
        "x", "X", "?", Points.of(made), shards, MachineFile(name="x"), {"figures": []}, ("a",)
    )
    path = write_plan(plan, folder / "plan.json")
    found = read_plan(path)
    assert found == plan
    assert strict(found.points) == strict(plan.points)
    assert found.points.digest == plan.points.digest


def test_other_points_are_not_equal():
    point = Point("a" * 12, "flow", 0, 1, {"topology": {"k": 1}}, {"topology.k": 1})
    found = Points.of([point])
    for other in (
        Point("b" * 12, "flow", 0, 1, {"topology": {"k": 1}}, {"topology.k": 1}),
        Point("a" * 12, "flow", 0, 1, {"topology": {"k": True}}, {"topology.k": 1}),
        Point("a" * 12, "flow", 0, 1, {"topology": {"k": 1}}, {}),
        Point("a" * 12, "flow", 0, 2, {"topology": {"k": 1}}, {"topology.k": 1}),
    ):
        assert Points.of([other]) != found
    assert found != [point]


def test_points_share_the_values_of_their_parts(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 2}\nreplicates: 5000\n")
    first, *_, last = expand(tree.load())
    assert first.spec["topology"] is last.spec["topology"]


def test_a_spec_of_other_parts_is_refused():
    with pytest.raises(ValueError, match="another spec"):
        Points.of([Point("a" * 12, "flow", 0, 1, {"weather": {}}, {})])
    with pytest.raises(ValueError, match="another spec"):
        Points.of([Point("a" * 12, "flow", 0, 1, {"seed": 2}, {})])


#: Columns take about 60 bytes, and their making some more for a while; dicts took 5,000.
MOST_BYTES = 250


@pytest.mark.slow
def test_memory_grows_by_columns_and_not_by_dicts(tree):
    """Fifty thousand points, expanded, written, and read back."""
    head = "defaults: [override /topology: torus]\nsweep: {topology.k: {from: 2, to: 51}}\n"
    tree.experiment(head + "replicates: 1000\n")
    experiment = tree.load()
    tracemalloc.start()
    try:
        found = expand(experiment)
        path = write_plan(Plan("x", "x", "?", found, ()), tree.root / "plan.json")
        again = read_plan(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(again.points) == 50_000
    columns = found.table.nbytes + again.points.table.nbytes
    assert (peak + columns) / 50_000 < MOST_BYTES

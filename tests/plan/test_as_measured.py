"""Beside a machine, a prediction chooses algorithms as the machine's MPI library does."""

from weft.config.model.declaration import LIBRARIES
from weft.plan import expand

BESIDE = """engines: [rdma, hardware]
defaults:
  - override /workload: pingpong
"""


def algorithms(tree, written="", library="openmpi"):
    tree.experiment(BESIDE + written)
    points = {p.spec["engine"]: p.spec["options"] for p in expand(tree.load(), library)}
    return [
        {key: value for key, value in points[engine].items() if key.endswith("_algorithm")}
        for engine in ("rdma", "hardware")
    ]


def test_the_library_of_the_machine_chooses_unless_the_experiment_does(tree):
    predicted, measured = algorithms(tree, "engine: {rdma: {bcast_algorithm: chain}}\n")
    assert predicted.pop("bcast_algorithm") == "chain"
    assert len(predicted) == 7
    assert set(predicted.values()) == {"openmpi"}
    assert set(measured.values()) == {"library"}


def test_an_algorithm_that_the_machine_does_not_leave_to_its_library_keeps_its_default(tree):
    predicted, _ = algorithms(tree, "engine: {hardware: {barrier_algorithm: ring}}\n")
    assert predicted["barrier_algorithm"] == "dissemination"
    assert predicted["bcast_algorithm"] == "openmpi"


def test_without_a_machine_or_its_library_nothing_changes(tree):
    tree.experiment(BESIDE.replace(", hardware", ""))
    (alone,) = expand(tree.load())
    assert [p.point_id for p in expand(tree.load(), "mpich")] == [alone.point_id]
    unknown, _ = algorithms(tree, library=None)
    assert not set(unknown.values()) & set(LIBRARIES)

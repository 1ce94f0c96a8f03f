"""Overrides from the command line."""

from weft.plan import expand

TORUS = "defaults: [override /topology: torus]\nsweep: {topology.k: [2, 4]}\n"


def ks(experiment):
    return [point.spec["topology"]["k"] for point in expand(experiment)]


def test_override_replaces_a_swept_key(tree):
    tree.experiment(TORUS)
    assert ks(tree.load(["topology.k=6"])) == [6]


def test_override_of_the_sweep_gives_it_other_values(tree):
    tree.experiment(TORUS)
    assert ks(tree.load(["sweep.topology.k=[3, 5, 7]"])) == [3, 5, 7]


def test_override_of_a_group(tree):
    tree.experiment(TORUS)
    points = expand(tree.load(["topology=mesh"]))
    assert {point.spec["topology"]["kind"] for point in points} == {"mesh"}


def test_override_of_a_quantity(tree):
    tree.experiment(TORUS)
    points = expand(tree.load(["network.latency=2 us"]))
    assert {point.spec["network"]["latency_s"] for point in points} == {2e-6}


def test_override_in_a_zip_leaves_the_other_keys(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\n"
        "sweep: {zip: [{topology.k: [2, 4, 6], workload.per_node: [1, 1, 2]}]}\n"
    )
    points = expand(tree.load(["topology.k=8"]))
    found = [(p.spec["topology"]["k"], p.spec["workload"]["per_node"]) for p in points]
    assert found == [(8, 1), (8, 2)]


def test_override_of_an_unknown_key_names_override_and_nearest(tree):
    tree.experiment(TORUS)
    error = tree.error(["topology.kk=6"])
    assert error.file == "configs/experiment/x.yaml with override 'topology.kk=6'"
    assert "did you mean 'k'?" in error.message


def test_override_by_an_unknown_group_choice(tree):
    tree.experiment(TORUS)
    assert "did you mean 'mesh'?" in tree.error(["topology=mehs"]).message


def test_override_that_is_none(tree):
    tree.experiment(TORUS)
    assert "does not read like topology.k=4" in tree.error(["topology.k"]).message


def test_overrides_are_kept_with_the_experiment(tree):
    tree.experiment(TORUS)
    assert tree.load(["topology.k=6"]).overrides == ("topology.k=6",)


def test_override_of_a_swept_group_replaces_its_axis(tree):
    tree.experiment("sweep: {topology: [torus, mesh], topology.k: [4]}\n")
    points = expand(tree.load(["topology=fat_tree"]))
    assert [point.spec["topology"]["kind"] for point in points] == ["fat_tree"]

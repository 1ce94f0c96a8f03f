"""What an experiment says over its group files: sections merge, values are replaced."""

import pytest
from weft.plan import expand


def sizes(tree, written):
    tree.experiment(
        f"defaults: [override /workload: pingpong]\nworkload: {{message_size: {written}}}\n"
    )
    (point,) = expand(tree.load())
    return point.spec["workload"]["message_bytes"]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("[8 B, 1 KiB]", [8, 1024]),
        ("4 B", [4]),
        ("{from: 2 B, to: 8 B, step: 3 B}", [2, 5, 8]),
    ],
)
def test_any_kind_of_value_replaces_the_range_of_a_group(tree, written, found):
    assert sizes(tree, written) == found


def test_no_part_of_a_replaced_range_stays(tree):
    # The group's range has a factor of 2.
    assert sizes(tree, "{from: 1 B, to: 3 B}") == [1, 2, 3]


def test_a_range_replaces_a_single_value(tree):
    tree.experiment("workload: {message_size: {from: 1 B, to: 4 B, factor: 2}}\n")
    (point,) = expand(tree.load())
    assert point.spec["workload"]["message_bytes"] == [1, 2, 4]


def test_a_swept_group_gets_what_the_experiment_says(tree):
    tree.experiment(
        "engines: [flow]\nsweep: {workload: [pingpong, alltoall]}\n"
        "workload: {message_size: [8 B]}\n"
    )
    points = expand(tree.load())
    assert {p.spec["workload"]["program"] for p in points} == {"pingpong", "alltoall"}
    assert all(p.spec["workload"]["message_bytes"] == [8] for p in points)


def test_variables_of_a_machine_are_added_to(tree):
    file = tree.configs / "machine" / "local.yaml"
    file.write_text(file.read_text() + "environment: {A: one, B: two}\n")
    tree.experiment("")
    found = tree.load(["machine.environment={B: three}"])
    assert found.machine.environment == {"A": "one", "B": "three"}


def test_keys_of_a_section_that_are_not_given_stay(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 4}\n")
    topology = tree.load().base({})[1]["topology"]
    assert topology == {"kind": "torus", "ties": "avoid_wrap", "k": 4}


def test_a_list_of_a_group_is_replaced_by_a_range(tree):
    tree.write("workload/few.yaml", "kind: messages\npattern: uniform\nmessage_size: [1 B, 2 B]\n")
    tree.experiment(
        "defaults: [override /workload: few]\n"
        "workload: {message_size: {from: 4 B, to: 8 B, factor: 2}}\n"
    )
    (point,) = expand(tree.load())
    assert point.spec["workload"]["message_bytes"] == [4, 8]


@pytest.mark.parametrize("written", ["workload: [8 B]", "workload: pingpong", "engine: {flow: 3}"])
def test_a_value_where_a_section_belongs_is_reported_once(tree, written):
    tree.experiment(f"{written}\n")
    error = tree.error()
    assert error.file == "configs/experiment/x.yaml"
    assert error.key in ("workload", "engine.flow")


def test_an_override_that_is_no_section_is_reported(tree):
    tree.experiment("")
    assert tree.error(["engine.flow=3"]).message == "expected a section of keys with values, got 3"


def test_a_value_may_refer_to_another(tree):
    tree.experiment("topology: {nodes: 8}\nworkload: {per_node: '${topology.nodes}'}\n")
    (point,) = expand(tree.load())
    assert point.spec["workload"]["per_node"] == 8


def test_a_reference_to_nothing_says_which(tree):
    tree.refuses("workload: {per_node: '${topology.nods}'}\n", None, "topology.nods")


def test_a_group_file_that_is_no_yaml_is_reported_with_its_place(tree):
    tree.write("topology/broken.yaml", "k: 4\nk: 5\n")
    tree.experiment("defaults: [override /topology: broken]\n")
    assert str(tree.error()) == (
        "configs/topology/broken.yaml:2:1: not valid YAML: found duplicate key k"
        " (seen from experiment x)"
    )


def test_a_group_file_that_is_a_list_is_reported_with_the_cause(tree):
    tree.write("topology/broken.yaml", "[1, 2]\n")
    tree.experiment("defaults: [override /topology: broken]\n")
    error = tree.error()
    assert error.file == "configs/topology/broken.yaml"
    assert error.message.startswith("expected keys with values at the top of the file")


def test_defaults_hold_choices_only(tree):
    tree.experiment("defaults: [torus]\n")
    error = tree.error()
    assert (error.key, "override /topology" in error.message) == ("defaults[0]", True)


def test_two_merges_in_one_section_are_refused(tree):
    """A reader of YAML takes the last of them in silence."""
    tree.refuses(
        "workload:\n  <<: {per_node: 3}\n  <<: {message_size: 64 B}\n",
        None,
        "a section has two keys <<: write one, as <<: [*a, *b]",
    )


def test_one_merge_in_each_section_is_none_too_many(tree):
    tree.experiment(
        "workload:\n  <<: [{per_node: 3}, {message_size: 64 B}]\ntopology:\n  <<: {nodes: 4}\n"
        "sweep: {workload.per_node: [1, 2]}\n"
    )
    assert tree.load().name == "x"

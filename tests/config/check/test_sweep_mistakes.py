"""Mistakes in the sweep."""

import pytest

TORUS = "defaults: [override /topology: torus]\n"


@pytest.mark.parametrize(
    ("sweep", "key", "words"),
    [
        ("topology.k: []", "sweep.topology.k", "the sweep is empty"),
        ("topology.k: {from: 9, to: 2}", "sweep.topology.k", "the range is empty"),
        ("topology.k: {from: 2, to: 8, factor: 1}", "sweep.topology.k", "a factor above 1"),
        ("topology.k: {from: 2, to: 8, by: 2}", "sweep.topology.k", "from, to and either step"),
        ("topology.k: 4", "sweep.topology.k", "expected a list of values"),
        ("topology.k: '2,4,8'", "sweep.topology.k", "expected a list of values"),
        ("topology.k: [2, 2]", "sweep.topology.k", "2 is listed twice"),
        ("topology.kk: [2, 4]", "sweep.topology.kk", "did you mean 'topology.k'?"),
        ("engine.flow.modell: [max_min]", "sweep.engine.flow.modell", "'engine.flow.model'"),
        ("engine.hardware.warmup: [1]", "sweep.engine.hardware.warmup", "not among engines"),
        ("engine: [flow, packet]", "sweep.engine", "write engines: [flow, packet] beside"),
        ("machine.ranks: [2]", "sweep.machine.ranks", "unknown key"),
        ("topology: [torus, mehs]", "sweep.topology", "did you mean 'mesh'?"),
        ("zip: [{topology.k: [2, 3], topology.ties: [plus]}]", "sweep.zip[0]", "equally long"),
        ("zip: {topology.k: [2, 3]}", "sweep.zip", "expected a list of sections"),
        (
            "zip: [{topology: [mesh, null], topology.k: [2, 3]}]",
            "sweep.zip[0]",
            "every row needs a topology",
        ),
        ("zip: [{topology.kk: [null, 2]}]", "sweep.topology.kk", "did you mean 'topology.k'?"),
        ("exclude: [{topology.kk: 2}]", "sweep.exclude[0]", "unknown key 'topology.kk'"),
        (
            "topology.ties: {when: network.bandwidth == 4000000000, values: [plus]}",
            "sweep.topology.ties.when",
            "network.bandwidth is a quantity: write 4000000000 with its unit",
        ),
        (
            "exclude: [{network.latency: [1 us, 2]}]",
            "sweep.exclude[0]",
            "network.latency is a quantity: write 2 with its unit",
        ),
        (
            "topology.ties: {when: topology.k is 4, values: [plus]}",
            "sweep.topology.ties",
            "write `key == value`",
        ),
        (
            "topology.ties: {when: topology.kk == 4, values: [plus]}",
            "sweep.topology.ties.when",
            "unknown key 'topology.kk'",
        ),
    ],
)
def test_mistake_is_reported_at_its_key(tree, sweep, key, words):
    tree.refuses(f"{TORUS}topology: {{k: 4}}\nsweep:\n  {sweep}\n", key, words)


def test_a_key_that_a_row_must_not_leave_out(tree):
    """k of a fat tree has no default."""
    tree.experiment(
        "sweep: {zip: [{topology: [torus, fat_tree], topology.k: [2, null], network.latency: "
        "[1 us, 2 us]}]}\n"
    )
    error = tree.error()
    assert error.key == "topology.k"
    assert error.message.startswith("this key is required (at topology=fat_tree, topology.k=null;")


def test_key_swept_twice(tree):
    tree.experiment(
        f"{TORUS}sweep: {{topology.k: [2], zip: [{{topology.k: [3], topology.ties: [plus]}}]}}\n"
    )
    assert tree.error().message == "this key is swept twice"


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        pytest.param(
            f"{TORUS}sweep: {{topology.k: [2, 4], exclude: [{{topology.k: [2, 4]}}]}}\n",
            "sweep",
            "the sweep is empty",
            id="sweep that excludes everything",
        ),
        pytest.param(
            f"{TORUS}sweep: {{topology.k: [2, 3, 4], workload.pattern: [uniform, transpose]}}\n",
            "workload.pattern",
            "at topology.k=3, workload.pattern=transpose",
            id="impossible point names its values",
        ),
        pytest.param(
            f"{TORUS}sweep: {{topology.k: [2, 1]}}\n",
            "topology.k",
            "at topology.k=1",
            id="swept value that its key does not allow",
        ),
    ],
)
def test_a_sweep_without_possible_points_is_reported(tree, body, key, words):
    tree.refuses(body, key, *([words] if isinstance(words, str) else words))


def test_many_impossible_points_are_cut_short(tree):
    tree.experiment(
        f"{TORUS}workload: {{pattern: transpose}}\nsweep: {{topology.k: {{from: 4, to: 99}}}}\n"
    )
    errors = tree.errors()
    assert len(errors) == 21
    assert "71 more" in errors[-1].message


def test_condition_is_never_evaluated_as_code(tree, tmp_path):
    attack = f"__import__('pathlib').Path('{tmp_path}/owned').touch() == None"
    tree.experiment(f'{TORUS}sweep: {{topology.k: {{when: "{attack}", values: [2]}}}}\n')
    assert tree.errors()
    assert not (tmp_path / "owned").exists()


def test_a_swept_key_that_is_not_indented_belongs_below_sweep(tree):
    tree.experiment(f"{TORUS}topology: {{k: 4}}\nengine.flow.model: [max_min]\n")
    error = tree.error()
    assert error.key == "engine.flow.model"
    assert error.message == (
        "a key with a dot stands below sweep, indented; elsewhere write engine: {flow: {model: …}}"
    )


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("topology: {k: [4, 8]}", "topology.k"),
        ("topology: {k: 4, ties: [plus, random]}", "topology.ties"),
        ("topology: {k: 4}\nnetwork: {latency: [1 us, 2 us]}", "network.latency"),
        ("topology: {k: 4}\nworkload: {per_node: [1, 2]}", "workload.per_node"),
        ("topology: {k: 4}\nengine: {flow: {model: [equal_share, max_min]}}", "engine.flow.model"),
    ],
)
def test_a_list_in_the_place_of_a_value_belongs_below_sweep(tree, body, key):
    tree.refuses(f"{TORUS}{body}\n", key, f"several values stand below sweep, as {key}")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("topology: {k: '4'}", "expected a whole number, got '4'; write 4"),
        ("topology: {k: 4.0}", "expected a whole number, got 4.0; write 4"),
        ("topology: {k: 1e1}", "expected a whole number, got 10.0; write 10"),
        ("topology: {k: 4.5}", "expected a whole number, got 4.5"),
        ("topology: {k: four}", "expected a whole number, got 'four'"),
        (
            "topology: {k: 4}\nanswer: [{agreement: {within: 5 %}}]",
            "expected a number, got '5 %'; write 0.05",
        ),
    ],
)
def test_a_number_written_otherwise_is_answered_with_how_to_write_it(tree, body, words):
    tree.experiment(f"{TORUS}{body}\n")
    assert tree.error().message == words

"""A mistake of a user is reported with file, key, what is allowed and the nearest name."""

import pytest
from weft.config import ConfigErrors, load_experiments

TORUS = "defaults: [override /topology: torus]\ntopology: {k: 4}\n"


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        pytest.param(
            "topolgy: {k: 4}\n",
            "topolgy",
            "did you mean 'topology'?",
            id="unknown top level key names the nearest",
        ),
        pytest.param(
            TORUS + "workload: {per_nod: 3}\n",
            "workload.per_nod",
            ("did you mean 'per_node'?", "outstanding"),
            id="unknown section key names allowed keys",
        ),
        pytest.param(
            "network: {bandwidth: 4 GB}\n",
            "network.bandwidth",
            "expected a rate with its unit, like '4 GB/s'",
            id="wrong dimension says what was expected",
        ),
        pytest.param(
            "network: {latency: 100}\n",
            "network.latency",
            "expected a time with its unit, like '100 ns'",
            id="bare number where a unit is needed",
        ),
        pytest.param(
            "defaults: [override /topology: tours]\n",
            "defaults[0]",
            "did you mean 'torus'?",
            id="unknown group choice names the nearest",
        ),
        pytest.param(
            "defaults: [override /topologies: torus]\n",
            "defaults[0]",
            "did you mean 'topology'?",
            id="unknown group names the groups",
        ),
        pytest.param(
            "defaults: [/topology: torus]\n",
            "defaults[0]",
            "override /topology: torus",
            id="group choice without override is explained",
        ),
        pytest.param(
            "defaults: [override /topology: torus]\ntopology: {k: 1}\n",
            "topology.k",
            "greater than or equal to 2",
            id="k of one",
        ),
        pytest.param(
            "topology: {nodes: 1}\n",
            "topology.nodes",
            ("a network has 2 nodes or more", "workload.ranks: 1", "ranks_per_node"),
            id="one node says how one rank runs",
        ),
        pytest.param(
            "topology: {kind: crosbar}\n",
            "topology.kind",
            "did you mean 'crossbar'?",
            id="unknown kind names the nearest",
        ),
        pytest.param(
            "topology: {nodes: 8}\nworkload: {pattern: transpose}\n",
            "workload.pattern",
            "even power of two",
            id="transpose on an odd power of two",
        ),
        pytest.param(
            "engines: [flaw]\n",
            "engines",
            "did you mean 'flow'?",
            id="unknown engine names the nearest",
        ),
        pytest.param(
            "engine: {flwo: {model: max_min}}\n",
            "engine.flwo",
            "did you mean 'flow'?",
            id="options of an unknown engine",
        ),
        pytest.param(
            "seed: 1\nseed: 2\n", "", "duplicate key seed", id="key written twice is a syntax error"
        ),
        pytest.param(
            "workload: {pattern: hotspot}\n",
            "workload",
            "needs hotspot_nodes and hotspot_fraction",
            id="hotspot needs its nodes",
        ),
        pytest.param(
            "workload: {pattern: hotspot, hotspot_nodes: [4], hotspot_fraction: 0.5}\n",
            "workload.hotspot_nodes",
            "nodes are 0 to 3, got 4",
            id="hotspot node out of range",
        ),
        pytest.param(
            "defaults: [override /topology: torus]\ntopology: {k: 100, dimensions: 12}\n",
            "topology",
            "more than 16,777,216 nodes",
            id="endless topology",
        ),
        pytest.param(
            "engines: [hardware]\ndefaults: [override /workload: pingpong]\ntopology: {nods: 2}\n",
            "topology.nods",
            (),
            id="mistake in a section that hardware ignores is reported",
        ),
    ],
)
def test_a_mistake_is_reported_at_its_key(tree, body, key, words):
    tree.refuses(body, key, *([words] if isinstance(words, str) else words))


@pytest.mark.parametrize("value", ["'4'", "4.5", "true", "[4]"])
def test_wrong_type_is_an_error(tree, value):
    tree.refuses(f"defaults: [override /topology: torus]\ntopology: {{k: {value}}}\n", "topology.k")


@pytest.mark.parametrize("k", [3, 6])
def test_transpose_without_an_even_power_of_two_of_nodes(tree, k):
    tree.refuses(
        f"defaults: [override /topology: torus]\ntopology: {{k: {k}}}\n"
        "workload: {pattern: transpose}\n",
        "workload.pattern",
        f"even power of two of nodes (4, 16, 64, …); the topology has {k * k}",
    )


@pytest.mark.parametrize("pattern", ["bit_complement", "bit_reverse", "shuffle"])
def test_bit_patterns_need_a_power_of_two(tree, pattern):
    tree.refuses(
        f"topology: {{nodes: 6}}\nworkload: {{pattern: {pattern}}}\n",
        None,
        "needs a power of two of nodes; the topology has 6",
    )


@pytest.mark.parametrize("pattern", ["tornado", "tornado_ceil", "neighbor"])
def test_pattern_that_the_topology_cannot_carry(tree, pattern):
    tree.refuses(
        f"workload: {{pattern: {pattern}}}\n",
        "workload.pattern",
        "crossbar lacks; use fat_tree, mesh, torus",
    )


def test_more_ranks_than_nodes(tree):
    tree.experiment(
        "defaults: [override /workload: alltoall]\nworkload: {ranks: 4}\ntopology: {nodes: 3}\n"
    )
    error = tree.error()
    assert error.key == "workload.ranks"
    assert error.message.startswith("4 ranks, but the topology has 3")


def test_more_ranks_than_the_machine_allows(tree):
    tree.experiment(
        "engines: [hardware]\ndefaults: [override /workload: alltoall]\n"
        "workload: {ranks: 4}\nmachine: {ranks: 3}\n"
    )
    assert tree.error().message.startswith("4 ranks, but machine.ranks of machine local allows 3")


@pytest.mark.parametrize("workload", ["uniform", "saturation"])
def test_hardware_answers_programs_only(tree, workload):
    tree.refuses(
        f"engines: [hardware]\ndefaults: [override /workload: {workload}]\n",
        "workload.kind",
        "hardware answers only: program",
        file=f"configs/workload/{workload}.yaml",
    )


def test_calibrated_network_without_hardware(tree):
    tree.refuses(
        "defaults: [override /network: measured]\n",
        "network.calibrated_from",
        "engines needs hardware",
        file="configs/network/measured.yaml",
    )


@pytest.mark.slow
def test_a_network_is_fitted_to_what_the_reference_simulates(tree):
    """Its ping-pong counts if its own network is not fitted."""
    fitted = (
        "engines: [flow, rdma]\n"
        "defaults: [override /topology: crossbar, override /network: measured,"
        " override /workload: pingpong]\n"
        "sweep: {network: [gigabit, measured], exclude: [{engine: rdma, network: measured}]}\n"
    )
    tree.experiment(fitted + "report: {reference: rdma}\n")
    assert tree.load().report.reference == "rdma"
    tree.refuses(fitted, None, "report.reference names an engine")
    alone = fitted.replace("[gigabit, measured]", "[measured]").partition(", exclude")[0] + "}\n"
    alone += "report: {reference: rdma}\n"
    tree.refuses(alone, None, "report.reference names an engine")


def test_calibrated_network_without_a_pingpong(tree):
    tree.refuses(
        "engines: [flow, hardware]\n"
        "defaults: [override /network: measured, override /workload: alltoall]\n",
        None,
        "must be the program pingpong",
        file="configs/network/measured.yaml",
    )


def test_missing_title_and_question_are_both_reported(tree):
    tree.write("experiment/x.yaml", "engines: [flow]\n")
    assert {(e.key, e.message) for e in tree.errors()} == {
        ("title", "this key is required"),
        ("question", "this key is required"),
    }


def test_all_errors_of_all_files_come_at_once(tree):
    tree.experiment("topology: {nods: 3}\nnetwork: {latency: 3 m}\nsweep: {seeed: [1]}\n", name="a")
    tree.experiment("workload: {per_node: 0}\n", name="b")
    tree.experiment("title: [\n", name="c")
    found = {(error.file.split("/")[-1].split(":")[0], error.key) for error in tree.errors()}
    assert found >= {("b.yaml", "workload.per_node"), ("a.yaml", "sweep.seeed"), ("c.yaml", "")}


def test_all_mistakes_of_one_file_come_at_once(tree):
    tree.experiment("paper: 3\ntopology: {nods: 3}\nnetwork: {latency: 3 km}\n")
    keys = {error.key for error in tree.errors()}
    assert keys == {"paper", "topology.nods", "network.latency"}


def test_text_has_one_line_for_each_error(tree):
    tree.experiment("topology: {nods: 3}\nnetwork: {latency: 3 km}\n")
    with pytest.raises(ConfigErrors) as caught:
        load_experiments(tree.configs)
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("configs/experiment/x.yaml:4:12: topology.nods: unknown key 'nods'")


def test_mistake_in_a_group_file_names_that_file(tree):
    tree.write("topology/torus.yaml", "kind: torus\nties: pluss\n")
    tree.experiment(TORUS)
    error = tree.error()
    assert (error.file, error.key) == ("configs/topology/torus.yaml", "topology.ties")
    assert "did you mean 'plus'?" in error.message
    assert "experiment x" in error.message


def test_grid_with_k_and_sizes(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 4, sizes: [4, 4]}\n")
    error = tree.error()
    assert (error.key, error.message) == (
        "topology.sizes",
        "sizes stand for k and dimensions; leave out k, or sizes",
    )


def test_network_needs_a_bandwidth(tree):
    tree.write("network/gigabit.yaml", "latency: 0 s\n")
    tree.refuses("", None, "give a bandwidth", file="configs/network/gigabit.yaml")


def test_wrong_engines_do_not_hide_or_invent_other_mistakes(tree):
    tree.experiment(
        "engines: [flow, hardwear]\n"
        "defaults: [override /network: measured, override /workload: pingpong]\n"
        "workload: {rank: 2}\n"
    )
    assert {error.key for error in tree.errors()} == {"engines", "workload.rank"}


def test_group_choice_never_used_may_be_incomplete(tree):
    tree.experiment("sweep: {topology: [torus], topology.k: [4]}\n")
    assert tree.load().name == "x"

"""Every mistake a user can make is told with file, key, what is allowed and the nearest name."""

import pytest
from weft.config import ConfigErrors, default_experiments, load_experiments

TORUS = "defaults: [override /topology: torus]\ntopology: {k: 4}\n"


def test_unknown_top_level_key_names_the_nearest(tree):
    tree.experiment("topolgy: {k: 4}\n")
    error = tree.error()
    assert (error.file, error.key) == ("configs/experiment/x.yaml", "topolgy")
    assert "did you mean 'topology'?" in error.message


def test_unknown_section_key_names_allowed_keys(tree):
    tree.experiment(TORUS + "workload: {per_nod: 3}\n")
    error = tree.error()
    assert (error.file, error.key) == ("configs/experiment/x.yaml", "workload.per_nod")
    assert "did you mean 'per_node'?" in error.message
    assert "outstanding" in error.message


@pytest.mark.parametrize("value", ["'4'", "4.5", "true", "[4]"])
def test_wrong_type_is_an_error(tree, value):
    tree.experiment(f"defaults: [override /topology: torus]\ntopology: {{k: {value}}}\n")
    assert tree.error().key == "topology.k"


def test_wrong_dimension_says_what_was_expected(tree):
    tree.experiment("network: {bandwidth: 4 GB}\n")
    error = tree.error()
    assert error.key == "network.bandwidth"
    assert "expected a rate with its unit, like '4 GB/s'" in error.message


def test_bare_number_where_a_unit_is_needed(tree):
    tree.experiment("network: {latency: 100}\n")
    assert "expected a time with its unit, like '100 ns'" in tree.error().message


def test_unknown_group_choice_names_the_nearest(tree):
    tree.experiment("defaults: [override /topology: tours]\n")
    error = tree.error()
    assert error.key == "defaults[0]"
    assert "did you mean 'torus'?" in error.message


def test_unknown_group_names_the_groups(tree):
    tree.experiment("defaults: [override /topologies: torus]\n")
    assert "did you mean 'topology'?" in tree.error().message


def test_group_choice_without_override_is_explained(tree):
    tree.experiment("defaults: [/topology: torus]\n")
    assert "override /topology: torus" in tree.error().message


def test_k_of_one(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 1}\n")
    error = tree.error()
    assert error.key == "topology.k"
    assert "greater than or equal to 2" in error.message


def test_unknown_kind_names_the_nearest(tree):
    tree.experiment("topology: {kind: crosbar}\n")
    assert "did you mean 'crossbar'?" in tree.error().message


@pytest.mark.parametrize("k", [3, 6])
def test_transpose_without_an_even_power_of_two_of_nodes(tree, k):
    tree.experiment(
        f"defaults: [override /topology: torus]\ntopology: {{k: {k}}}\n"
        "workload: {pattern: transpose}\n"
    )
    error = tree.error()
    assert error.key == "workload.pattern"
    assert f"even power of two of nodes (4, 16, 64, …); the topology has {k * k}" in error.message


def test_transpose_on_an_odd_power_of_two(tree):
    tree.experiment("topology: {nodes: 8}\nworkload: {pattern: transpose}\n")
    assert "even power of two" in tree.error().message


@pytest.mark.parametrize("pattern", ["bit_complement", "bit_reverse", "shuffle"])
def test_bit_patterns_need_a_power_of_two(tree, pattern):
    tree.experiment(f"topology: {{nodes: 6}}\nworkload: {{pattern: {pattern}}}\n")
    assert "needs a power of two of nodes; the topology has 6" in tree.error().message


@pytest.mark.parametrize("pattern", ["tornado", "tornado_ceil", "neighbor"])
def test_pattern_that_the_topology_cannot_carry(tree, pattern):
    tree.experiment(f"workload: {{pattern: {pattern}}}\n")
    error = tree.error()
    assert error.key == "workload.pattern"
    assert "crossbar lacks; use fat_tree, mesh, torus" in error.message


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
    assert tree.error().message.startswith("4 ranks, but machine.ranks allows 3")


@pytest.mark.parametrize("workload", ["uniform", "saturation"])
def test_hardware_answers_programs_only(tree, workload):
    tree.experiment(f"engines: [hardware]\ndefaults: [override /workload: {workload}]\n")
    error = tree.error()
    assert error.key == "workload.kind"
    assert "hardware answers only: program" in error.message


def test_unknown_engine_names_the_nearest(tree):
    tree.experiment("engines: [flaw]\n")
    error = tree.error()
    assert error.key == "engines"
    assert "did you mean 'flow'?" in error.message


def test_options_of_an_unknown_engine(tree):
    tree.experiment("engine: {flwo: {model: max_min}}\n")
    assert "did you mean 'flow'?" in tree.error().message


def test_calibrated_network_without_hardware(tree):
    tree.experiment("defaults: [override /network: measured]\n")
    error = tree.error()
    assert error.key == "network.calibrated_from"
    assert "engines needs hardware" in error.message


def test_calibrated_network_without_a_pingpong(tree):
    tree.experiment(
        "engines: [flow, hardware]\n"
        "defaults: [override /network: measured, override /workload: alltoall]\n"
    )
    assert "must be the program pingpong" in tree.error().message


def test_missing_title_and_question_are_both_told(tree):
    tree.write("experiment/x.yaml", "engines: [flow]\n")
    assert {(e.key, e.message) for e in tree.errors()} == {
        ("title", "this key is required"),
        ("question", "this key is required"),
    }


def test_yaml_syntax_error_names_file_and_line(tree):
    tree.experiment("topology: {k: 4\nnetwork: {}\n")
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:5:8: not valid YAML")


def test_key_written_twice_is_a_syntax_error(tree):
    tree.experiment("seed: 1\nseed: 2\n")
    assert "duplicate key seed" in tree.error().message


def test_bytes_of_another_encoding_are_found_while_composing(tree):
    file = tree.experiment(TORUS)
    file.write_bytes(file.read_text().replace("A title", "Gr\u00f6\u00dfe").encode("latin-1"))
    assert str(tree.error()) == (
        "configs/experiment/x.yaml:1:10: the byte 0xf6 is not UTF-8: save the file as UTF-8"
    )


def test_a_word_that_yaml_takes_for_a_truth_value_needs_quotes(tree):
    file = tree.experiment(TORUS)
    file.write_text(file.read_text().replace("A title", "on"))
    error = tree.error()
    assert error.key == "title"
    assert "got True; YAML reads yes, no, on and off as truth values: put quotes" in error.message


def test_empty_file_is_told(tree):
    tree.write("experiment/x.yaml", "- a\n")
    assert "expected keys with values" in tree.error().message


def test_same_name_with_both_endings(tree):
    tree.experiment("")
    (tree.configs / "experiment/x.yml").write_text("title: other\n")
    assert "x.yaml and x.yml are two experiments with the same name 'x'" in tree.error().message


def test_yml_ending_is_read(tree):
    tree.experiment(TORUS).rename(tree.configs / "experiment/x.yml")
    assert tree.load().settings.title == "A title"


def test_unknown_experiment_names_the_nearest(tree):
    tree.experiment("", name="pingpong")
    with pytest.raises(ConfigErrors, match="did you mean 'pingpong'"):
        load_experiments(tree.configs, ["pingpng"])


def test_unknown_default_experiment(tree):
    tree.experiment("", name="quick")
    with pytest.raises(ConfigErrors, match=r"config\.yaml:11:1: experiments: unknown experiment"):
        default_experiments(tree.configs)


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
    assert tree.error().message == "give either k (and dimensions) or sizes"


def test_hotspot_needs_its_nodes(tree):
    tree.experiment("workload: {pattern: hotspot}\n")
    assert "needs hotspot_nodes and hotspot_fraction" in tree.error().message


def test_hotspot_node_out_of_range(tree):
    tree.experiment("workload: {pattern: hotspot, hotspot_nodes: [4], hotspot_fraction: 0.5}\n")
    assert "nodes are 0 to 3, got 4" in tree.error().message


def test_network_needs_a_bandwidth(tree):
    tree.write("network/gigabit.yaml", "latency: 0 s\n")
    tree.experiment("")
    assert "give a bandwidth" in tree.error().message


def test_endless_topology(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 100, dimensions: 12}\n")
    assert "more than 16,777,216 nodes" in tree.error().message


def test_mistake_in_a_section_that_hardware_ignores_is_told(tree):
    tree.experiment(
        "engines: [hardware]\ndefaults: [override /workload: pingpong]\ntopology: {nods: 2}\n"
    )
    assert tree.error().key == "topology.nods"


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

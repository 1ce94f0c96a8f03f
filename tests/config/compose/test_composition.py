"""Hydra composes: nested defaults, packages and interpolations, in groups and in experiments."""

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.plan import expand


def base(tree):
    return tree.load().base({})[1]


def test_a_group_starts_from_another_one(tree):
    tree.write("network/fast.yaml", "defaults: [gigabit]\nhop_latency: 1 us\n")
    tree.experiment("defaults: [override /network: fast]\n")
    network = base(tree)["network"]
    assert (network["bandwidth"], network["hop_latency"]) == ("1 Gbit/s", "1 us")


def test_a_group_may_let_another_one_have_the_last_word(tree):
    tree.write("network/slow.yaml", "defaults: [_self_, gigabit]\nbandwidth: 1 MB/s\n")
    tree.experiment("defaults: [override /network: slow]\n")
    assert base(tree)["network"]["bandwidth"] == "1 Gbit/s"


def test_a_group_with_the_package_global_sets_other_sections(tree):
    text = "# A site.\n# @package _global_\nnetwork: {bandwidth: 2 GB/s}\nseed: 7\n"
    tree.write("network/site.yaml", text)
    tree.experiment("defaults: [override /network: site]\n")
    experiment = tree.load()
    assert experiment.settings.seed == 7
    assert experiment.base({})[1]["network"]["bandwidth"] == "2 GB/s"


def test_a_group_of_ones_own_is_put_where_its_package_says(tree):
    (tree.configs / "options").mkdir()
    tree.write("options/fair.yaml", "model: max_min\n")
    tree.experiment("defaults: [/options@engine.flow: fair]\n")
    (point,) = expand(tree.load())
    assert point.spec["options"]["model"] == "max_min"


def test_an_experiment_extends_another_one(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 4}\nseed: 3\n", "first")
    tree.experiment("defaults: [first]\ntopology: {ties: plus}\n")
    experiment = tree.load()
    topology = experiment.base({})[1]["topology"]
    assert topology == {"kind": "torus", "ties": "plus", "k": 4}
    assert (experiment.settings.seed, experiment.choices["topology"]) == (3, "torus")


def test_an_experiment_that_extends_another_one_may_choose_other_groups(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 4}\n", "first")
    tree.experiment("defaults: [first, override /topology: mesh]\n")
    assert base(tree)["topology"]["kind"] == "mesh"


def test_the_sweep_of_an_extended_experiment_is_changed_key_by_key(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\n"
        "sweep: {topology.k: {from: 2, to: 8}, workload.per_node: [1, 2]}\n",
        "first",
    )
    tree.experiment("defaults: [first]\nsweep: {topology.k: [4]}\n")
    found = {(p.spec["topology"]["k"], p.spec["workload"]["per_node"]) for p in expand(tree.load())}
    assert found == {(4, 1), (4, 2)}


def test_experiments_that_extend_each_other_are_a_mistake(tree):
    tree.experiment("defaults: [y]\n", "x")
    tree.experiment("defaults: [x]\n", "y")
    assert {error.file for error in tree.errors()} == {
        "configs/experiment/x.yaml",
        "configs/experiment/y.yaml",
    }


def test_an_extended_experiment_that_is_not_there_names_the_nearest(tree):
    tree.experiment("", "first")
    tree.experiment("defaults: [frist]\n")
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:4:12: defaults[0]: ")
    assert "did you mean 'first'?" in error.message


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("/experiment/frist", "unknown experiment 'frist'; did you mean 'first'?"),
        ("experiment/first", "write 'first' to start from that experiment"),
        ("/topology/torus", "write 'override /topology: torus' to choose a topology"),
        ("overide /topology: torus", "is no entry; write 'override /topology: torus'"),
    ],
)
def test_an_entry_of_another_form_is_told_what_it_could_be(tree, entry, message):
    tree.experiment("", "first")
    tree.experiment(f"defaults: [{entry}]\n")
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:4:12: defaults[0]: ")
    assert message in str(error)


def test_a_value_refers_to_another_section(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\n"
        "topology: {k: 3}\nworkload: {per_node: '${topology.k}'}\n"
    )
    assert base(tree)["workload"]["per_node"] == 3


def test_a_range_refers_to_another_section(tree):
    tree.experiment(
        "network: {packet: {mtu: 64 B}}\n"
        "workload: {message_size: {from: 8 B, to: '${network.packet.mtu}', factor: 8}}\n"
    )
    assert base(tree)["workload"]["message_size"] == {"from": "8 B", "to": "64 B", "factor": 8}


def test_a_value_that_refers_to_a_swept_one_follows_the_sweep(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\n"
        "sweep: {topology.k: [2, 3], network.latency: [1 us, 2 us]}\n"
        "workload: {per_node: '${topology.k}', message_size: ['${workload.per_node} KiB', 8 B]}\n"
    )
    found = {
        (
            p.spec["topology"]["k"],
            p.spec["workload"]["per_node"],
            *p.spec["workload"]["message_bytes"],
        )
        for p in expand(tree.load())
    }
    assert found == {(2, 2, 2048, 8), (3, 3, 3072, 8)}


def test_a_value_that_refers_to_a_swept_one_of_some_groups_follows_it_there(tree):
    tree.experiment(
        "sweep: {topology: [crossbar, torus],"
        " topology.k: {when: topology.kind == torus, values: [3]}}\n"
        "workload: {per_node: '${oc.select:topology.k,1}'}\n"
    )
    found = {
        (p.spec["topology"]["kind"], p.spec["workload"]["per_node"]) for p in expand(tree.load())
    }
    assert found == {("crossbar", 1), ("torus", 3)}


def test_a_value_that_refers_to_one_that_only_some_points_have_is_a_mistake_of_the_others(tree):
    tree.experiment(
        "sweep: {topology: [crossbar, torus],"
        " topology.k: {when: topology.kind == torus, values: [3]}}\n"
        "workload: {per_node: '${topology.k}'}\n"
    )
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:5:12: workload.per_node: ")
    assert "topology=crossbar" in error.message


def test_options_of_an_engine_may_refer_to_a_swept_value(tree):
    tree.experiment(
        "engines: [packet]\ndefaults: [override /topology: torus]\nsweep: {topology.k: [2, 4]}\n"
        "engine: {packet: {virtual_channels: '${topology.k}'}}\n"
    )
    found = {
        (p.spec["topology"]["k"], p.spec["options"]["virtual_channels"])
        for p in expand(tree.load())
    }
    assert found == {(2, 2), (4, 4)}


def test_an_override_sweeps_what_others_refer_to(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\ntopology: {k: 2}\n"
        "workload: {per_node: '${topology.k}'}\n"
    )
    points = expand(tree.load(["topology.k=3,5"]))
    assert [p.spec["workload"]["per_node"] for p in points] == [3, 5]


def test_a_group_file_that_changes_is_read_again(tree):
    tree.write("network/own.yaml", "bandwidth: 1 GB/s\n")
    tree.experiment("defaults: [override /network: own]\n")
    assert base(tree)["network"]["bandwidth"] == "1 GB/s"
    tree.write("network/own.yaml", "bandwidth: 10 GB/s\n")
    assert base(tree)["network"]["bandwidth"] == "10 GB/s"


def test_a_kind_that_the_experiment_names_itself_starts_from_nothing(tree):
    tree.experiment("topology: {kind: torus, sizes: [4, 4]}\n")
    assert base(tree)["topology"] == {"kind": "torus", "sizes": [4, 4]}


def test_what_such_a_kind_lacks_is_a_mistake_of_the_experiment(tree):
    tree.experiment("workload: {kind: traffic, injection_rate: 0.3}\n")
    first = tree.errors()[0]
    assert (first.key, first.file) == ("workload.pattern", "configs/experiment/x.yaml")


def test_the_kind_of_the_default_group_keeps_its_other_keys(tree):
    tree.experiment("workload: {kind: messages, message_size: 2 KiB}\n")
    workload = base(tree)["workload"]
    assert (workload["pattern"], workload["message_size"]) == ("uniform", "2 KiB")


def test_a_kind_beside_a_chosen_group_of_another_kind_is_a_mistake(tree):
    tree.experiment(
        "defaults: [override /topology: fat_tree]\ntopology: {kind: torus, sizes: [4, 4]}\n"
    )
    assert {error.file for error in tree.errors()} == {"configs/topology/fat_tree.yaml"}


def test_the_kind_of_an_extended_experiment_starts_from_nothing_too(tree):
    tree.experiment("topology: {kind: torus, sizes: [4, 4]}\n", "first")
    tree.experiment("defaults: [first]\ntopology: {ties: plus}\n")
    assert base(tree)["topology"] == {"kind": "torus", "sizes": [4, 4], "ties": "plus"}


@pytest.mark.parametrize(
    "text", ["hydra: {searchpath: [/somewhere]}\n", "defaults: [override /hydra/launcher: basic]\n"]
)
def test_settings_of_hydra_have_no_place_in_an_experiment(tree, text):
    tree.experiment(text)
    error = tree.error()
    assert (error.file, error.mark.line) == ("configs/experiment/x.yaml", 4)
    assert "ydra" in error.message


def test_hydra_stays_as_others_in_the_process_have_it(tree, tmp_path):
    from hydra import compose, initialize_config_dir

    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "main.yaml").write_text("a: 1\n")
    with initialize_config_dir(str(tmp_path / "theirs"), version_base="1.3"):
        tree.experiment("")
        tree.load()
        assert compose("main").a == 1


RESOLVERS = [
    "oc.env:HOME",
    "oc.decode:'1'",
    "hydra:runtime.cwd",
    "oc.deprecated:seed",
    "${title}:x",
]


@pytest.mark.parametrize("resolver", RESOLVERS)
def test_a_resolver_that_looks_elsewhere_is_refused(tree, resolver):
    tree.experiment(f'workload:\n  per_node: "${{{resolver}}}"\n')
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:5:3: workload.per_node: the resolver")


def test_a_resolver_is_refused_in_a_group_and_in_the_defaults(tree):
    tree.write("topology/own.yaml", "kind: crossbar\nnodes: ${oc.env:NODES}\n")
    tree.experiment("defaults: [override /topology: own]\n", "a")
    tree.experiment("defaults: [override /topology: '${oc.env:TOPOLOGY}']\n", "b")
    with pytest.raises(ConfigErrors) as caught:
        load_experiments(tree.configs)
    assert [str(error).partition(": the")[0] for error in caught.value.errors] == [
        "configs/topology/own.yaml:2:1: nodes",
        "configs/experiment/b.yaml:4:12: defaults[0].override /topology",
    ]


def test_a_resolver_that_looks_at_other_keys_is_allowed(tree):
    tree.experiment("workload: {per_node: '${oc.select:topology.k,2}'}\n")
    assert base(tree)["workload"]["per_node"] == 2

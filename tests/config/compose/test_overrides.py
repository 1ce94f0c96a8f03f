"""Overrides from the command line."""

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.plan import expand

from tests.config.conftest import EXPERIMENT

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
    assert "is not of the form topology.k=4" in tree.error(["topology.k"]).message


def test_overrides_are_kept_with_the_experiment(tree):
    tree.experiment(TORUS)
    assert tree.load(["topology.k=6"]).overrides == ("topology.k=6",)


def test_override_of_a_swept_group_replaces_its_axis(tree):
    tree.experiment("sweep: {topology: [torus, mesh], topology.k: [4]}\n")
    points = expand(tree.load(["topology=fat_tree"]))
    assert [point.spec["topology"]["kind"] for point in points] == ["fat_tree"]


def test_override_replaces_a_range_by_a_list_and_the_other_way_round(tree):
    tree.experiment("defaults: [override /workload: pingpong]\n")
    sizes = "workload.message_size"
    (point,) = expand(tree.load([f"{sizes}=[8 B, 1 KiB]"]))
    assert point.spec["workload"]["message_bytes"] == [8, 1024]
    (point,) = expand(tree.load([f"{sizes}={{from: 2 B, to: 8 B, step: 3 B}}"]))
    assert point.spec["workload"]["message_bytes"] == [2, 5, 8]


def test_override_of_a_section_changes_its_keys(tree):
    tree.experiment("engine: {flow: {model: max_min}}\n")
    (point,) = expand(tree.load(["engine.flow={tables: [links]}"]))
    assert point.spec["options"] == {"model": "max_min", "tables": ["links"]}


def test_override_of_one_figure(tree):
    tree.experiment("figures: [{line: {x: topology.nodes, y: makespan_s}}]\n")
    (figure,) = tree.load(["figures.0.line.log_x=true"]).settings.figures
    assert figure["line"] == {"x": "topology.nodes", "y": "makespan_s", "log_x": True}


@pytest.mark.parametrize(
    "text", ["topology.k=3,5", "topology.k=choice(3, 5)", "topology.k=range(3, 6, 2)",
             "sweep.topology.k=3,5", "++topology.k=3,5"]
)  # fmt: skip
def test_values_divided_by_commas_are_swept(tree, text):
    tree.experiment(TORUS)
    assert ks(tree.load([text])) == [3, 5]


def test_a_key_that_is_not_swept_becomes_an_axis(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 2}\n")
    assert ks(tree.load(["topology.k=3,5"])) == [3, 5]
    points = expand(tree.load(["workload.message_size=1 KiB,'2 KiB'"]))
    assert [point.spec["workload"]["message_bytes"] for point in points] == [[1024], [2048]]


def test_groups_divided_by_commas_are_swept(tree):
    tree.experiment(TORUS)
    points = expand(tree.load(["topology=torus,mesh", "topology.k=4"]))
    assert [point.spec["topology"]["kind"] for point in points] == ["torus", "mesh"]


def test_a_group_that_does_not_exist_names_the_override_and_nothing_else(tree):
    tree.experiment(TORUS)
    error = tree.error(["sweep.topology=[torus, mehs]"])
    assert error.file.endswith("with override 'sweep.topology=[torus, mehs]'")
    assert "did you mean 'mesh'?" in error.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("topology.k=interval(1, 4)", "write the values, like 2,4,8"),
        ("topology=glob(*)", "write the values, like 2,4,8"),
        ("topology.k=shuffle(1, 4)", "would differ from run to run"),
        ("machine=local,slurm", "cannot vary within an experiment"),
        ("sweep.topology.k=[4", "has a '[' that no ']' closes"),
        ("title=${oc.env:HOME}", "the resolver 'oc.env' is not allowed"),
        ("=3", "has no key before its '='"),
        ("hydra.searchpath=[/x]", "Hydra's own settings are not allowed here"),
    ],
)
def test_what_no_override_can_be_is_said_once(tree, text, words):
    tree.experiment(TORUS)
    error = tree.error([text])
    assert error.file == "--config overrides"
    assert words in error.message


def test_two_overrides_of_one_key_are_a_mistake(tree):
    tree.experiment(TORUS)
    message = tree.error(["topology.k=3", "++topology.k=4"]).message
    assert message == "'topology.k=3' and '++topology.k=4' set the same key"


def test_a_key_is_added_where_there_is_none(tree):
    tree.experiment(TORUS)
    (point, *_) = expand(tree.load(["++network.latency=3 us"]))
    assert point.spec["network"]["latency_s"] == 3e-6
    assert tree.load(["+topology.dimensions=3"]).base({})[1]["topology"]["dimensions"] == 3


def test_a_key_that_is_there_already_cannot_be_added(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 4}\n")
    error = tree.error(["+topology.k=4"])
    assert error.file == "configs/experiment/x.yaml with override '+topology.k=4'"
    assert "already at 'topology.k'" in error.message


def test_a_key_is_taken_away(tree):
    tree.experiment("defaults: [override /topology: torus]\ntopology: {k: 4, dimensions: 3}\n")
    assert "dimensions" not in tree.load(["~topology.dimensions"]).base({})[1]["topology"]


def test_a_key_that_is_not_there_cannot_be_taken_away(tree):
    tree.experiment(TORUS)
    error = tree.error(["~topology.dimensions"])
    assert error.file == "configs/experiment/x.yaml with override '~topology.dimensions'"
    assert "does not exist" in error.message


def test_an_axis_is_taken_away(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\ntopology: {k: 3}\nsweep: {topology.k: [2, 4]}\n"
    )
    assert ks(tree.load(["~sweep.topology.k"])) == [3]


def test_an_axis_that_is_not_there_cannot_be_taken_away(tree):
    tree.experiment(TORUS)
    error = tree.error(["~sweep.topology.dimensions"])
    assert error.file.endswith("with override '~sweep.topology.dimensions'")
    assert error.message == "nothing is swept here"


def test_quoted_values_keep_their_signs(tree):
    tree.experiment(TORUS)
    settings = tree.load(["title='A, b = [c'", 'question="Größer?"']).settings
    assert (settings.title, settings.question) == ("A, b = [c", "Größer?")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("topology.k", "--config overrides"),
        ("topology=mehs", "--config overrides"),
        ("topology.kk=4", "configs/experiment/a.yaml with override 'topology.kk=4'"),
    ],
)
def test_a_mistaken_override_is_reported_once_for_all_experiments(tree, text, place):
    names = ["a", "b", "c"]
    for name in names:
        tree.experiment(TORUS, name)
    with pytest.raises(ConfigErrors) as caught:
        load_experiments(tree.configs, names, {name: [text] for name in names})
    (error,) = caught.value.errors
    assert error.file == place


@pytest.mark.parametrize("text", ["topology.k=[4", "topology={k: 4", "topology.k=choice(4, 8"])
def test_an_open_bracket_is_blamed_on_its_override(tree, text):
    tree.experiment("")
    error = tree.error([text])
    assert error.file == "--config overrides"
    assert f"override '{text}' has a '" in error.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("topology=null", "'topology=null' leaves the topology out: name one; allowed: crossbar"),
        ("++workload=null", "'++workload=null' leaves the workload out: name one; allowed: "),
        ("machine=null", "'machine=null' leaves the machine out: write ~machine, or name one"),
        ("engine=flow", "'engine=flow' chooses nothing: only topology, network, workload, "),
        ("~experiment", "'~experiment' chooses nothing: only topology, network, workload, "),
    ],
)
def test_an_override_that_chooses_nothing_is_named(tree, text, words):
    tree.experiment(TORUS)
    error = tree.error([text])
    assert error.file == "--config overrides"
    assert error.message.startswith(words)


@pytest.mark.parametrize("group", ["topology", "workload"])
def test_an_override_that_takes_away_what_an_experiment_needs_is_named(tree, group):
    tree.experiment("defaults: [override /workload: uniform, override /topology: torus]\n")
    [error] = [each for each in tree.errors([f"~{group}"]) if each.key == f"{group}.kind"]
    assert error.file == f"{EXPERIMENT} with override '~{group}'"
    assert error.message.startswith("required: ")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("~topology=mesh", "topology", "write topology=NAME to change its topology"),
        ("~topology@network", "topology@network", "or +topology@network=NAME to add one"),
        ("~topology@network=mesh", "topology@network", "or +topology@network=NAME to add one"),
        ("topology@network=mesh", "topology@network", "or +topology@network=NAME to add one"),
        ("workload@_global_=uniform", "workload@_global_", "or +workload@_global_=NAME to add one"),
    ],
)
def test_a_choice_that_an_experiment_does_not_make_is_said_of_the_override(
    tree, text, place, words
):
    tree.experiment(TORUS)
    error = tree.error([text])
    assert error.file == f"{EXPERIMENT} with override '{text}'"
    assert error.key == place
    assert error.message.startswith("the experiment makes no such choice; write ")
    assert error.message.endswith(words)


def test_a_group_that_is_none_is_named_where_a_package_follows(tree):
    tree.experiment(TORUS)
    error = tree.error(["topolgy@network=mesh"])
    assert error.file == "--config overrides"
    assert error.message.startswith("unknown group 'topolgy'; did you mean 'topology'?")


def test_a_choice_for_another_package_is_no_second_one_of_its_group(tree):
    tree.experiment(TORUS)
    texts = [each.message for each in tree.errors(["topology=mesh", "+topology@network=mesh"])]
    assert not [text for text in texts if "set the same key" in text]


def test_a_wrong_key_of_a_section_is_blamed_on_the_override_that_brings_it(tree):
    tree.experiment("engine: {flow: {model: maxmin}}\n")
    errors = {error.key: error.file for error in tree.errors(["engine.flow={tabels: [links]}"])}
    assert errors["engine.flow.tabels"].endswith("with override 'engine.flow={tabels: [links]}'")
    assert errors["engine.flow.model"] == EXPERIMENT


def test_a_wrong_value_of_a_whole_sweep_is_blamed_on_the_override_that_brings_it(tree):
    tree.experiment(TORUS)
    error = tree.error(["sweep={topology.k: [1e99]}"])
    assert error.file.endswith("with override 'sweep={topology.k: [1e99]}'")


def test_seeds_that_are_swept_are_sent_to_replicates(tree):
    tree.experiment(TORUS)
    assert "replicates: 3" in tree.error(["seed=1,2"]).message

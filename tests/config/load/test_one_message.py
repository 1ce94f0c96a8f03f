"""A mistake has one message: what follows from it alone is not reported, and its key is named."""

import pytest
from weft.config import load_experiments

TORUS = "defaults: [override /topology: torus]\n"
CUBE = "defaults: [override /topology: hypercube]\n"


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        pytest.param(
            TORUS + "sweep:\n  - topology.k: [4, 6]\n",
            "sweep",
            "expected a section",
            id="a sweep that is a list hides the grid that it gives its size",
        ),
        pytest.param(
            TORUS + "swep: {topology.k: [4, 6]}\n",
            "swep",
            "did you mean 'sweep'?",
            id="so does one whose name is misspelt",
        ),
        pytest.param(
            CUBE + "sweep: {topology.dimensions: {from: 4}}\n",
            "sweep.topology.dimensions",
            "a range has the keys",
            id="a broken axis hides the key that it gives",
        ),
        pytest.param(
            TORUS + "topolgy: {k: 4}\n",
            "topolgy",
            "did you mean 'topology'?",
            id="a section whose name is misspelt is not missing",
        ),
        pytest.param(
            "model: {cost: loggp}\n",
            "model",
            "write engine: {model: {…}}",
            id="options at the top level",
        ),
        pytest.param(
            "options: {model: max_min}\n",
            "options",
            "write engine: {flow: {…}}",
            id="options in a section of their own",
        ),
        pytest.param(
            TORUS + "topology: {k: null}\nengines: [packet, flow]\n"
            "sweep: {zip: [{topology.k: [2, 4], engine.packet.vc_buffer_flits: [4, 8]}]}\n",
            "topology.sizes",
            "for flow: sweep.zip has topology.k beside engine.packet.vc_buffer_flits",
            id="a size that varies with an option of another engine",
        ),
        pytest.param(
            "defaults: [override /topology: torus]\n",
            "topology.sizes",
            "this key is required, or k",
            id="a grid without a size that only defaults names",
        ),
        pytest.param(
            TORUS + "topology: {k: 4}\nsweep: {topology.sizes: [[4, 4], [6, 6]]}\n",
            "topology.sizes",
            "leave out k, or sizes",
            id="k beside swept sizes",
        ),
        pytest.param(
            "figures: [ratio: {of: [flow], to: flow, x: message_bytes, y: fluidity}]\n",
            "figures[0].ratio.to",
            "divided by itself",
            id="a ratio of an engine to itself",
        ),
        pytest.param(
            "quick: [replicates=2, topolgy.k=4]\n",
            "quick[1]",
            "did you mean 'topology'?",
            id="an unknown key in the short form",
        ),
        pytest.param(
            "quick: ['workload.per_node=[4']\n",
            "quick[0]",
            "has a '[' that no ']' closes",
            id="an override that cannot be read in the short form",
        ),
        pytest.param(
            "quick: [workload.per_node=0]\n",
            "quick[0]",
            "greater than or equal to 1",
            id="a value that is out of range in the short form",
        ),
        pytest.param(
            "workload: {message_size: [4 kib, 8 KiB]}\n",
            "workload.message_size[0]",
            "in '4 kib' b is a bit; write 'KiB' for bytes, or 'Kibit' for bits$",
            id="a wrong unit in a list of sizes",
        ),
        pytest.param(
            "workload: {message_size: {from: 1 kib, to: 4 KiB, factor: 2}}\n",
            "workload.message_size",
            "in '1 kib' b is a bit; write 'KiB' for bytes, or 'Kibit' for bits$",
            id="a wrong unit at the beginning of a range of sizes",
        ),
        pytest.param(
            "sweep: {network.latency: {from: 1 uS, to: 4 us}}\n",
            "sweep.network.latency",
            "'1 uS' has an unknown unit 'uS'; did you mean 'us'?$",
            id="a wrong unit at the beginning of a swept range",
        ),
        pytest.param(
            "workload: {injection_rate: 0.1}\n",
            "workload.injection_rate",
            "a workload of kind traffic has this key, one of kind messages has not",
            id="a key of another kind",
        ),
        pytest.param(
            TORUS + "topology: {k: 4}\nsweep: {topology.levels: [2, 3]}\n",
            "sweep.topology.levels",
            "a topology of kind fat_tree has this key, one of kind torus has not",
            id="a swept key of another kind",
        ),
    ],
)
def test_one_mistake_has_one_message(tree, body, key, words):
    tree.experiment(body)
    (error,) = tree.errors()
    assert error.key == key
    assert error.mark is not None
    assert words.rstrip("$") in error.message
    assert not words.endswith("$") or error.message.endswith(words.rstrip("$"))


def test_engines_with_options_are_a_list_and_blame_nothing_else(tree):
    tree.write("experiment/x.yaml", "title: t\nquestion: q\nengines: {flow: {model: max_min}}\n")
    (error,) = tree.errors()
    assert (error.key, error.mark.line) == ("engines", 3)
    assert "write engines: [flow]" in error.message


def test_an_experiment_after_overrides_is_placed(tree):
    tree.experiment(TORUS + "topology: {k: 4}\n", "base")
    tree.experiment("defaults:\n  - override /topology: torus\n  - base\n")
    (error,) = tree.errors()
    assert error.key == "defaults[1]"
    assert error.message == "move 'base' before 'override /topology': overrides come last"


def test_an_override_that_adds_an_unknown_section_is_blamed(tree):
    tree.experiment("")
    (error,) = tree.errors(["topolgy.k=4"])
    assert error.file == "configs/experiment/x.yaml with override 'topolgy.k=4'"


def test_a_short_form_without_a_mistake_is_none(tree):
    tree.experiment("quick: [replicates=1, workload.per_node=1]\n")
    load_experiments(tree.configs)


def test_a_grid_without_a_size_that_has_a_key_of_another_kind_has_two_mistakes(tree):
    tree.experiment(TORUS + "topology: {levels: 3}\n")
    lacking, other = tree.errors()
    assert (lacking.key, other.key) == ("topology.sizes", "topology.levels")
    assert "a topology of kind fat_tree has this key, one of kind torus has not" in other.message


def test_an_engine_that_is_listed_twice_hides_no_other_mistake(tree):
    tree.experiment("engines: [flow, flow]\nworkload: {per_nod: 3}\n")
    said = [str(error) for error in tree.errors()]
    assert any("engines: flow is listed twice" in text for text in said)
    assert any("per_nod" in text for text in said)


def test_an_answer_that_is_no_question_gives_one_message(tree):
    tree.experiment("answer: 5\n")
    (error,) = tree.errors()
    assert error.message.startswith("expected a question, or a list of them, of best, ")
    assert error.message.endswith("; got 5")


def test_every_wrong_size_of_a_list_has_its_own_message(tree):
    tree.experiment("workload: {message_size: [4 kib, 8 KiB, 3]}\n")
    assert [each.key for each in tree.errors()] == [
        "workload.message_size[0]",
        "workload.message_size[2]",
    ]

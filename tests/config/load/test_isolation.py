"""A file with a mistake hinders only its own experiment."""

import pytest
from weft.config import ConfigErrors, load_experiments, other_mistakes, papers


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ("title: [\n", ""),
        ("topolgy: {k: 4}\n", "topolgy"),
        ("seed: 99999999999999999999\n", "seed"),
        ("replicates: 1000000000\n", "replicates"),
        ("topology: &t {k: *t}\n", ""),
    ],
)
def test_a_mistake_is_found_beside_what_is_asked_for(tree, body, key):
    tree.experiment("", name="sound")
    tree.experiment(body, name="broken")
    assert [each.name for each in load_experiments(tree.configs, ["sound"])] == ["sound"]
    found = other_mistakes(tree.configs, ["sound"])
    assert {error.key for error in found} >= {key}
    assert all("broken.yaml" in error.file for error in found)
    with pytest.raises(ConfigErrors):
        load_experiments(tree.configs)


def test_a_surprise_while_looking_at_others_is_no_more_than_a_mistake(tree, monkeypatch):
    tree.experiment("", name="sound")
    tree.experiment("", name="odd")

    def surprised(*_):
        raise RecursionError("too deep")

    monkeypatch.setattr("weft.config.load.loader.count_problems", surprised)
    (error,) = other_mistakes(tree.configs, ["sound"])
    assert str(error) == "configs/experiment/odd.yaml: cannot be checked: too deep"


def test_papers_are_known_without_composing_anything(tree):
    tree.experiment("paper: mfs\n", name="a")
    tree.experiment("paper: mfs\ntopolgy: {}\n", name="b")
    tree.experiment("title: [\n", name="broken")
    assert papers(tree.configs) == {"mfs": ["a", "b"]}

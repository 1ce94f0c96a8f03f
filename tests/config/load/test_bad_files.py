"""Files that are no experiments: no YAML, no UTF-8, two of one name, or none."""

import pytest
from weft.config import ConfigErrors, default_experiments, load_experiments

TORUS = "defaults: [override /topology: torus]\ntopology: {k: 4}\n"


def test_yaml_syntax_error_names_file_and_line(tree):
    tree.experiment("topology: {k: 4\nnetwork: {}\n")
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:5:8: not valid YAML")


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


def test_empty_file_is_reported(tree):
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

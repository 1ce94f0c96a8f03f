"""Files in `configs/experiment/` that are no experiments: named, or silently left out."""

import os
from pathlib import Path

import pytest
from weft.config import ConfigErrors, load_experiments, other_mistakes
from weft.config.compose.composition import experiment_files


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("d11{x}.yaml", "'d11{x}' is not a valid experiment name: use letters, digits, _ and -"),
        ("two words.yaml", "'two words' is not a valid"),
        ("it's.yaml", "is not a valid experiment name"),
        ('so "called".yaml', "is not a valid experiment name"),
        ("-x.yaml", "begin with a letter or a digit"),
        ("x.y.yaml", "'x.y' is not a valid"),
        ("index.yaml", "reports/index.html is another page"),
        ("paper_x.yaml", "reports/paper_x.html is another page"),
        ("ab" * 33 + ".yaml", "may have 64 characters; this has 66"),
        ("x" * 20 + ".yaml", "must not repeat itself 20 times"),
        ("abc" * 20 + ".yaml", "must not repeat itself 20 times"),
        ("x.YAML", "is ignored: write its ending in lower case, x.yaml"),
        ("x.Yml", "is ignored: write its ending in lower case, x.yml"),
    ],
)
def test_a_name_that_no_page_can_have_is_reported_with_its_file(tree, name, words):
    tree.experiment("", name="sound")
    tree.write(f"experiment/{name}", "title: A title\n")
    error = tree.error()
    assert error.file == f"configs/experiment/{name}"
    assert words in error.message
    assert [each.name for each in load_experiments(tree.configs, ["sound"])] == ["sound"]
    assert other_mistakes(tree.configs, ["sound"]) == {Path(name).stem: (error,)}


def folder(path):
    path.mkdir()


def nowhere(path):
    path.symlink_to("absent.yaml")


def circle(path):
    path.symlink_to(path.name)


def pipe(path):
    os.mkfifo(path)


def device(path):
    path.symlink_to("/dev/zero")


def large(path):
    with path.open("wb") as file:
        file.truncate(5_000_000)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (folder, "is a folder, not a file"),
        (nowhere, "cannot be read: No such file"),
        (circle, "cannot be read: Too many levels of symbolic links"),
        (pipe, "is not a regular file"),
        (device, "is not a regular file"),
        (large, "is larger than 4,000,000 bytes"),
    ],
)
def test_what_is_no_plain_file_is_reported(tree, make, words):
    make(tree.configs / "experiment" / "odd.yaml")
    error = tree.error()
    assert error.file == "configs/experiment/odd.yaml"
    assert words in error.message


@pytest.mark.parametrize(
    "name",
    [
        ".x.yaml.swp",
        "#x.yaml#",
        ".#x.yaml",
        "x.yaml~",
        ".hidden.yaml",
        "x.yaml.off",
        "x.c",
        "x.csv",
    ],
)
def test_files_of_editors_and_of_other_kinds_are_silently_no_experiments(tree, name):
    tree.write(f"experiment/{name}", "title: [unfinished\n")
    assert experiment_files(tree.configs) == {}
    assert load_experiments(tree.configs) == []


def test_asking_for_a_file_that_is_not_read_says_why(tree):
    tree.write("experiment/big.YAML", "title: A title\n")
    with pytest.raises(ValueError, match="write its ending in lower case"):
        load_experiments(tree.configs, ["big"])


@pytest.mark.parametrize("place", ["", "..", "experiment/mine"])
def test_a_file_in_another_folder_is_named_with_the_right_one(tree, place):
    tree.experiment("", name="other")
    (tree.configs / "experiment" / "mine").mkdir()
    file = tree.configs / place / "halo.yml"
    file.write_text("title: A title\n")
    with pytest.raises(ConfigErrors) as caught:
        load_experiments(tree.configs, ["halo"])
    assert str(caught.value) == (
        f"{file.resolve().relative_to(tree.root)}: is in a folder without experiments; "
        "move it to configs/experiment/halo.yml"
    )

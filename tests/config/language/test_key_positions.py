"""Every mistake names the line and the column of its key, as an editor counts them."""

from pathlib import Path

import pytest
from weft.config.language.key_positions import Mark, marks, nearest_mark

TEXT = """\
# A comment.
title: A title
topology: {k: 4, sizes: [1, 2]}
figures:
  - line:
      x: seed
sweep:
  topology.k: [2, 4]
  network:
    latency: [1 us]
"""


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("title", "2:1"),
        ("topology.k", "3:12"),
        ("topology.sizes[1]", "3:29"),
        ("figures[0].line.x", "6:7"),
        ("sweep.topology.k", "8:3"),
        ("sweep.network.latency", "10:5"),
    ],
)
def test_a_key_has_a_line_and_a_column(key, place):
    assert str(marks(TEXT)[key]) == place


def test_a_key_that_is_not_written_has_the_place_of_its_section():
    assert nearest_mark(marks(TEXT), "figures[0].line.y") == Mark(5, 5)
    assert nearest_mark(marks(TEXT), "engine.flow") is None


def test_a_section_that_holds_itself_has_an_end():
    assert marks("a: &a {b: *a}\n") == {"a": Mark(1, 1), "a.b": Mark(1, 8)}


def place(tree, overrides=()):
    return str(tree.error(overrides)).partition(": ")[0]


def test_a_missing_key_has_the_place_of_its_section(tree):
    tree.experiment("seed: 1\ntopology: {kind: fat_tree}\n")
    assert place(tree) == "configs/experiment/x.yaml:5:1"


def test_a_value_of_the_sweep_has_its_own_place(tree):
    tree.experiment("defaults: [override /topology: torus]\nsweep:\n  topology.k: [1]\n")
    assert place(tree) == "configs/experiment/x.yaml:6:3"


def test_a_value_that_varies_with_others_has_its_own_place(tree):
    tree.experiment(
        "defaults: [override /topology: torus]\n"
        "sweep:\n  zip:\n    - topology.k: [1]\n      seed: [1]\n".replace(
            "seed", "workload.per_node"
        )
    )
    assert place(tree) == "configs/experiment/x.yaml:7:7"


def test_a_key_of_a_group_has_the_place_in_its_file(tree):
    tree.write("network/own.yaml", "# Mine.\nbandwidth: 1 GB\n")
    tree.experiment("defaults: [override /network: own]\n")
    assert place(tree) == "configs/network/own.yaml:2:1"


def test_a_key_of_a_group_of_a_group_has_the_place_in_that_file(tree):
    tree.write("network/first.yaml", "\nbandwidth: 1 GB\n")
    tree.write("network/own.yaml", "defaults: [first]\nlatency: 1 us\n")
    tree.experiment("defaults: [override /network: own]\n")
    assert place(tree) == "configs/network/first.yaml:2:1"


def test_a_key_of_an_extended_experiment_has_the_place_in_that_file(tree):
    tree.experiment("defaults: [first]\n")
    tree.write("experiment/first.yaml", "title: A\nquestion: B\nengines: [flow]\nseed: -1\n")
    assert {str(error).partition(": ")[0] for error in tree.errors()} == {
        "configs/experiment/first.yaml:4:1"
    }


def test_a_key_under_a_package_has_the_place_in_its_file(tree):
    text = "# @package _global_\nnetwork: {bandwidth: 1 GB/s}\nworkload:\n  per_nod: 2\n"
    tree.write("network/site.yaml", text)
    tree.experiment("defaults: [override /network: site]\n")
    assert place(tree) == "configs/network/site.yaml:4:3"


def test_a_reference_to_nothing_has_the_place_of_the_key_that_refers(tree):
    tree.experiment("workload: {per_node: '${topology.nods}'}\n")
    error = tree.error()
    assert str(error).startswith("configs/experiment/x.yaml:4:12: workload.per_node: ")
    assert "topology.nods" in error.message


def test_a_key_that_an_override_sets_names_the_override(tree):
    tree.experiment("seed: 1\n")
    assert place(tree, ["seed=-1"]) == "configs/experiment/x.yaml with override 'seed=-1'"


def test_a_declaration_of_an_engine_has_a_place_too(tree):
    file = tree.configs / "engine" / "booksim.yaml"
    file.write_text(file.read_text().replace("type: choice", "type: choise", 1))
    tree.experiment("")
    line = 1 + file.read_text().split("\n").index("    type: choise")
    assert place(tree) == f"configs/engine/booksim.yaml:{line}:5"


def test_a_wrong_swept_value_is_placed_in_the_sweep_where_the_section_has_the_key_too(tree):
    torus = "defaults: [override /topology: torus]\ntopology: {k: 3}\n"
    path = tree.experiment(torus + "sweep:\n  topology.k: [3 4]\n")
    line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if "3 4" in text)
    error = tree.error()
    assert (error.key, error.mark.line) == ("topology.k", line)


def test_a_missing_key_at_the_top_has_the_place_of_the_first_key(tree):
    tree.write("experiment/x.yaml", "# Mine.\n\nquestion: A question?\nengines: [flow]\n")
    assert str(tree.error()) == "configs/experiment/x.yaml:3:1: title: this key is required"


def test_a_missing_key_of_a_default_group_has_the_place_of_its_file(tree):
    tree.write("topology/crossbar.yaml", "# Mine.\nkind: crossbar\n")
    tree.experiment("")
    assert place(tree) == "configs/topology/crossbar.yaml:2:1"


def test_a_missing_key_of_a_declaration_has_the_place_of_the_first_key(tree):
    tree.write("engine/echo.yaml", "# Mine.\nprogram: command\n")
    tree.experiment("")
    lines = {str(error).partition(": ")[0] for error in tree.errors()}
    assert lines == {"configs/engine/echo.yaml:2:1"}


def test_a_key_that_an_overridden_kind_requires_names_the_override(tree):
    tree.experiment("")
    shown = [str(error) for error in tree.errors(["topology.kind=fat_tree"])]
    begin = "configs/experiment/x.yaml with override 'topology.kind=fat_tree': topology.k: "
    assert begin + "this key is required" in shown


def test_a_key_that_follows_from_a_swept_one_is_placed_in_the_sweep(tree):
    path = tree.experiment("sweep:\n  network.cables.latency: [100 ns, 5 s]\n")
    line = next(i for i, text in enumerate(path.read_text().splitlines(), 1) if "5 s" in text)
    error = next(each for each in tree.errors() if "injection_latency" in each.key)
    assert (Path(error.file).stem, error.mark.line) == ("x", line)


def test_a_wrong_limit_of_points_has_a_place(tree):
    tree.write("config.yaml", "# Mine.\ndefaults: [_self_, topology: crossbar]\nmax_points: many\n")
    tree.experiment("")
    assert place(tree) == "configs/config.yaml:3:1"

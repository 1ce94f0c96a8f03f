"""A list of experiments knows what a run refuses, also where only the points of a sweep show it."""

from __future__ import annotations

import pytest
from weft.command.show import state_lines
from weft.read import ExperimentState, Project, experiments

from tests.config.conftest import Tree

#: Every key is right by itself; 63 nodes have no transpose.
UNSEEN = "topology: {nodes: 63}\nworkload: {pattern: transpose}\n"
OF_A_FILE = """
defaults: [override /workload: trace]
workload: {file: list.csv}
"""


def state(tree: Tree, name: str) -> ExperimentState:
    return {each.name: each for each in experiments(Project(tree.root))}[name]


def test_an_experiment_whose_points_are_refused_is_listed_as_broken_with_the_reason(
    tree: Tree,
) -> None:
    tree.experiment(UNSEEN, name="unseen")
    found = state(tree, "unseen")
    assert found.state == "broken"
    assert "transpose" in (found.problem or "")


def test_a_sound_experiment_is_broken_once_a_file_that_it_names_is_gone(tree: Tree) -> None:
    messages = tree.root / "list.csv"
    messages.write_text("src,dst,bytes\n0,1,8\n")
    tree.experiment(OF_A_FILE, name="listed")
    assert (state(tree, "listed").state, state(tree, "listed").problem) == ("new", None)
    messages.unlink()
    assert "there is no file list.csv" in (state(tree, "listed").problem or "")


def test_a_sound_experiment_is_not_looked_at_again(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.experiment("", name="sound")
    assert state(tree, "sound").state == "new"

    def looked(*_: object) -> None:
        raise RuntimeError("looked at again")

    monkeypatch.setattr("weft.config.load.loader.count_problems", looked)
    assert state(tree, "sound").state == "new"


@pytest.mark.parametrize("folder", ["configs/experiment/", "/srv/someone/mine/experiment/"])
def test_a_list_shows_the_whole_reason_and_no_folder(folder: str) -> None:
    reason = f"mine.yaml:3:1: topology.k: {'a long reason ' * 20}and what to do"
    broken = ExperimentState("mine", problem=folder + reason)
    assert list(state_lines([broken]))[1].strip() == reason

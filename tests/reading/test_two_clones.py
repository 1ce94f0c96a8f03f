"""Two clones that run the experiments of one folder."""

import shutil
from pathlib import Path

import pytest
from weft.read.workspace import LINKED, NAME, NOTES, workspace


def clone(folder: Path) -> Path:
    """What a workspace links to."""
    for name in LINKED:
        (folder / name).mkdir(parents=True)
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "experiment").mkdir(parents=True)
    return folder


def test_neither_changes_the_links_of_the_other(tmp_path: Path, mine: Path) -> None:
    first, second = clone(tmp_path / "first"), clone(tmp_path / "second")
    places = [workspace(each, mine) for each in (first, second, first, second)]
    assert places[:2] == places[2:]
    for place, each in zip(places, (first, second), strict=False):
        assert [(place / name).readlink() for name in LINKED] == [each / name for name in LINKED]
        assert (place / "results").resolve() == mine / "results"


def test_both_share_the_notes_of_snakemake(tmp_path: Path, mine: Path) -> None:
    places = [workspace(clone(tmp_path / name), mine) for name in ("first", "second")]
    (places[0] / NOTES).mkdir(exist_ok=True)
    (places[0] / NOTES / "metadata").touch()
    assert (places[1] / NOTES / "metadata").exists()


def test_another_clone_takes_the_place_of_one_that_is_gone(tmp_path: Path, mine: Path) -> None:
    first, second = clone(tmp_path / "first"), clone(tmp_path / "second")
    workspace(first, mine)
    shutil.rmtree(first)
    place = workspace(second, mine)
    assert place == mine / NAME
    assert (place / LINKED[0]).readlink() == second / LINKED[0]

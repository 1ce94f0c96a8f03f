"""Shards of an archive among a user's own results."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.archive.bring import Bringing
from weft.archive.contents import ArchiveError
from weft.archive.read import open_archive
from weft.files import sealed, unsealed
from weft.files.layout import ExperimentFolder
from weft.plan.outcome import read_outcome

from .conftest import NAME, Made
from .test_read import again


def brought(archive: Path, folder: ExperimentFolder) -> Bringing:
    with open_archive(archive) as opened:
        found = Bringing(opened, NAME, folder)
        found.bring()
    return found


@pytest.fixture
def folder(tmp_path: Path) -> ExperimentFolder:
    return ExperimentFolder(tmp_path / "own" / "results" / NAME)


@pytest.fixture
def archive(made_once: Made, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_once.archive, tmp_path / "x.zip"))


@pytest.mark.slow
def test_an_archived_shard_counts_as_finished(archive: Path, folder: ExperimentFolder) -> None:
    (left,) = brought(archive, folder).there
    outcome = read_outcome(left.path)
    assert outcome is not None
    assert len(outcome.done) == 3
    assert folder.order(left.path.name).is_file()


def test_results_of_the_users_own_stay(archive: Path, folder: ExperimentFolder) -> None:
    (left,) = brought(archive, folder).there
    left.status.unlink()
    left.journal.write_text("mine\n")
    found = brought(archive, folder)
    assert (found.count, found.there) == (1, [])
    assert left.journal.read_text() == "mine\n"
    assert not left.status.exists()


def test_a_shard_that_was_brought_before_is_still_there(
    archive: Path, folder: ExperimentFolder
) -> None:
    brought(archive, folder)
    found = brought(archive, folder)
    assert (len(found.there), found.brought) == (1, [])


def change(archive: Path, ending: str, edit: Callable[[bytes], bytes]) -> None:
    def inside(held: dict[str, bytes]) -> None:
        (name,) = (each for each in held if each.startswith("results/") and each.endswith(ending))
        held[name] = edit(held[name])

    again(archive, inside)


def refused(archive: Path, folder: ExperimentFolder) -> str:
    with pytest.raises(ArchiveError) as caught:
        brought(archive, folder)
    assert not folder.path.exists()
    return str(caught.value)


def test_a_point_under_the_name_of_another_is_refused(
    archive: Path, folder: ExperimentFolder
) -> None:
    (order,) = (name for name in order_names(archive))

    def edit(text: bytes) -> bytes:
        found = unsealed(text, required=True)
        found["points"][0]["topology"]["k"] = 99
        return sealed(found).encode()

    change(archive, order, edit)
    assert "that has another content" in refused(archive, folder)


def order_names(archive: Path) -> list[str]:
    with open_archive(archive) as opened:
        return list(opened.below(f"results/{NAME}/shards"))


def test_answers_to_other_points_are_refused(archive: Path, folder: ExperimentFolder) -> None:
    def edit(text: bytes) -> bytes:
        first, *others = text.splitlines()
        line = unsealed(first, required=True)
        another = sealed({**line, "digest": "0" * 12}).encode()
        return b"\n".join([another, *others])

    change(archive, "journal.jsonl", edit)
    assert "has answers to points that it does not name" in refused(archive, folder)


@pytest.mark.parametrize("place", ["../../elsewhere", "/etc"])
def test_a_plan_that_names_other_folders_brings_nothing(
    archive: Path, folder: ExperimentFolder, place: str
) -> None:
    def edit(text: bytes) -> bytes:
        found = json.loads(text)
        found["shards"][0]["engine"] = place
        return json.dumps(found).encode()

    change(archive, "plan.json", edit)
    assert brought(archive, folder).there == []
    assert not folder.path.exists()


def test_only_what_shards_leave_is_written(archive: Path, folder: ExperimentFolder) -> None:
    with open_archive(archive) as opened:
        (status,) = (n for n in opened.names if n.startswith("results/") and "status" in n)
    again(archive, lambda held: held.update({status.replace("status.json", "program.so"): b""}))
    (left,) = brought(archive, folder).there
    assert not (left.path / "program.so").exists()

"""The commit beside every run is that of weft."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from weft.engines.provenance import git_commit

from tests.people import ALICE, need_root


def git(folder: Path, *words: str) -> str:
    own = ("-c", "user.name=Me", "-c", "user.email=me@here", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *own, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with the file by which weft is known."""
    folder = tmp_path / "weft"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "Snakefile").write_text("rule all:\n")
    git(folder, "add", "Snakefile")
    git(folder, "commit", "-qm", "First")
    return folder


def test_a_changed_file_makes_the_commit_dirty(clone: Path) -> None:
    first = git(clone, "rev-parse", "HEAD")
    assert git_commit(clone) == first
    (clone / "Snakefile").write_text("rule none:\n")
    assert git_commit(clone) == f"{first}-dirty"


def test_the_commit_of_a_folder_that_experiments_lie_in_is_not_weft_s(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the workspace of `weft --experiments`."""
    monkeypatch.chdir(clone)
    assert git_commit() != git(clone, "rev-parse", "HEAD")


def test_a_worktree_and_a_submodule_have_their_own_commit(clone: Path, tmp_path: Path) -> None:
    first = git(clone, "rev-parse", "HEAD")
    git(clone, "worktree", "add", "-q", str(tmp_path / "beside"))
    assert git_commit(tmp_path / "beside") == first
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(clone))
    git(outer, "commit", "-qm", "With weft")
    assert git_commit(outer / "weft") == first


def test_an_unpacked_weft_in_a_repository_of_others_has_no_commit(
    clone: Path, tmp_path: Path
) -> None:
    inner = clone / "unpacked"
    inner.mkdir()
    (inner / "Snakefile").write_text("rule all:\n")
    assert git_commit(inner) is None


def test_a_clone_that_another_user_owns_has_its_commit(clone: Path) -> None:
    need_root()
    first = git(clone, "rev-parse", "HEAD")
    subprocess.run(["chown", "-R", str(ALICE.number), str(clone)], check=True)
    assert git_commit(clone) == first

"""What a command may leave, and what is not collected."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from weft.confine import CollectedFiles, collect, sweep

MOST = 1000


@pytest.fixture
def left(tmp_path: Path) -> Path:
    folder = tmp_path / "left"
    (folder / "tables").mkdir(parents=True)
    (folder / "a.csv").write_text("a" * 100)
    (folder / "tables" / "b.csv").write_text("b" * 200)
    return folder


def collected(left: Path, most_bytes: int = MOST, most_files: int = 100) -> CollectedFiles:
    to = left.parent / "to"
    found = collect(left, to, ["*.csv", "tables/*.csv"], most_bytes, most_files)
    files = {str(path.relative_to(to)) for path in to.rglob("*") if path.is_file()}
    assert files == {*found.kept}
    return found


def test_files_with_an_allowed_name_are_copied(left: Path) -> None:
    (left / "a.exe").write_text("x")
    (left / "tables" / "deep").mkdir()
    (left / "tables" / "deep" / "c.csv").write_text("x")
    assert collected(left) == CollectedFiles(("a.csv", "tables/b.csv"), {})
    assert (left.parent / "to" / "tables" / "b.csv").read_text() == "b" * 200


def test_no_link_is_followed(left: Path) -> None:
    (left / "symbolic.csv").symlink_to("/etc/passwd")
    secret = left.parent / "secret"
    secret.write_text("secret")
    os.link(secret, left / "hard.csv")
    assert collected(left).left_out == {
        "symbolic.csv": "it is a symbolic link",
        "hard.csv": "it has another name, by a hard link",
    }


def test_a_folder_that_is_a_link_is_not_entered(left: Path) -> None:
    outside = left.parent / "outside"
    outside.mkdir()
    (outside / "secret.csv").write_text("secret")
    (left / "tables" / "b.csv").unlink()
    (left / "tables").rmdir()
    (left / "tables").symlink_to(outside)
    assert collected(left).kept == ("a.csv",)


def test_a_pipe_is_left_out_and_stops_nobody(left: Path) -> None:
    os.mkfifo(left / "pipe.csv")
    assert collected(left).left_out == {"pipe.csv": "it is not a regular file"}


def test_above_the_limit_the_largest_go_first(left: Path) -> None:
    (left / "large.csv").write_text("c" * 300)
    found = collected(left, most_bytes=150)
    assert found.kept == ("a.csv",)
    assert list(found.left_out) == ["large.csv", "tables/b.csv"]
    assert found.left_out["large.csv"] == "300 B, above the limit of 150 B for all"


def test_the_number_of_files_is_limited(left: Path) -> None:
    for number in range(20):
        (left / f"n{number:02}.csv").write_text("")
    found = collected(left, most_files=10)
    assert len(found.kept) == 10
    assert found.left_out == {"…": "more than 10 files"}


def test_a_name_that_is_not_utf8_is_left_out(left: Path) -> None:
    (Path(os.fsdecode(os.fsencode(left) + b"/\xff.csv"))).write_text("x")
    assert list(collected(left).left_out.values()) == ["its name is not UTF-8"]


def test_a_sweep_removes_all_but_regular_files_with_an_allowed_name(left: Path) -> None:
    outside = left.parent / "outside"
    outside.write_text("secret")
    (left / "link.csv").symlink_to(outside)
    os.link(outside, left / "hard.csv")
    os.mkfifo(left / "pipe.csv")
    (left / "folder.csv").mkdir()
    (left / "a.exe").write_text("x")
    found = sweep(left, ["*.csv"], ["*.csv"], MOST)
    assert found == {
        "a.exe": "it is not an output",
        "folder.csv": "it is not a regular file",
        "hard.csv": "it has another name, by a hard link",
        "link.csv": "it is a symbolic link",
        "pipe.csv": "it is not a regular file",
        "tables": "it is not a regular file",
    }
    assert [path.name for path in left.iterdir()] == ["a.csv"]
    assert outside.read_text() == "secret"


def test_a_sweep_removes_the_largest_first(left: Path) -> None:
    (left / "large.csv").write_text("c" * 300)
    (left / "journal.jsonl").write_text("d" * 900)
    found = sweep(left, ["*.csv", "journal.jsonl", "tables"], ["*.csv"], 150)
    assert found["large.csv"] == "300 B, above the limit of 150 B for all"
    assert sorted(path.name for path in left.iterdir()) == ["a.csv", "journal.jsonl"]

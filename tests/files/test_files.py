"""Whole files and locks."""

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest
from weft.files import replace_text, replacing, take_lock


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    replace_text(path, "old")
    with pytest.raises(IsADirectoryError), replacing(path) as temporary:
        tmp_path.write_text(temporary.name)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_place_of_a_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.mkdir()
    with pytest.raises(IsADirectoryError) as caught:
        replace_text(path, "new")
    said = f"[Errno 21] a folder lies where this file belongs; remove it: '{path}'"
    assert str(caught.value) == said
    assert list(tmp_path.iterdir()) == [path]


def test_folders_are_made(tmp_path: Path) -> None:
    replace_text(tmp_path / "a" / "b" / "x", "text")
    assert (tmp_path / "a" / "b" / "x").read_text() == "text"


def test_a_held_lock_is_not_taken_twice(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as first, (tmp_path / "lock").open("w") as second:
        assert take_lock(first)
        assert not take_lock(second)


def test_a_killed_holder_frees_its_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys, time; from weft.files import take_lock; file = open(sys.argv[1], 'w');"
        "print(take_lock(file), flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    with path.open("w") as file:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        assert not take_lock(file)
        holder.kill()
        holder.communicate()
        assert take_lock(file)


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK])
def test_a_file_system_without_locks_lets_everybody_in(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(code, "no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with (tmp_path / "lock").open("w") as file:
        assert take_lock(file)


def test_other_errors_of_locks_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "broken disk")

    monkeypatch.setattr(fcntl, "flock", fail)
    with (tmp_path / "lock").open("w") as file, pytest.raises(OSError, match="broken disk"):
        take_lock(file)


def test_a_full_disk_is_named_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    # The temporary file is one that takes nothing.
    (tmp_path / f".plan.json.{os.getpid()}.tmp").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as raised:
        replace_text(file, "x")
    assert raised.value.filename == str(file)


def test_an_immutable_file_is_a_sentence_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "weft.duckdb"
    replace_text(path, "old")
    if subprocess.run(["chattr", "+i", path], check=False, capture_output=True).returncode:
        pytest.skip("`chattr +i` needs root and a file system that has it")
    try:
        with pytest.raises(PermissionError) as caught:
            replace_text(path, "new")
    finally:
        subprocess.run(["chattr", "-i", path], check=True)
    assert str(caught.value).startswith("[Errno 1] Operation not permitted: it cannot be replaced;")
    assert str(caught.value).endswith(f"replaces a file: '{path}'")
    assert list(tmp_path.iterdir()) == [path]

"""The command that runs a program in an image."""

import os
from pathlib import Path

import pytest
from weft.images import ImageError, exec_command, find_runtime


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, with nothing in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def add(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def test_without_a_runtime_it_says_what_to_do(path: Path) -> None:
    with pytest.raises(ImageError, match="envs/install_apptainer"):
        exec_command(Path("x.sif"))


def test_apptainer_goes_before_singularity(path: Path) -> None:
    singularity = add(path, "singularity")
    assert find_runtime() == singularity
    apptainer = add(path, "apptainer")
    assert find_runtime() == apptainer


def test_the_projects_own_installation_is_found(path: Path) -> None:
    own = add(path.parent / "cache" / "weft" / "apptainer" / "bin", "apptainer")
    assert find_runtime() == own


def test_the_image_comes_last_and_the_current_folder_stays(path: Path, tmp_path: Path) -> None:
    add(path, "apptainer")
    command = exec_command(Path("x.sif"), binds=[tmp_path, "/a:/b:ro"])
    assert command[-3:] == ["--pwd", str(Path.cwd()), "x.sif"]
    assert [command[i + 1] for i, word in enumerate(command) if word == "--bind"] == [
        str(Path.cwd()),
        str(tmp_path),
        "/a:/b:ro",
    ]


@pytest.mark.parametrize(("user", "expected"), [(0, True), (1000, False)])
def test_only_root_asks_for_a_user_namespace(
    path: Path, monkeypatch: pytest.MonkeyPatch, user: int, expected: bool
) -> None:
    add(path, "apptainer")
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--userns" in exec_command(Path("x.sif"))) is expected


def test_a_variable_with_commas_is_one_variable(path: Path) -> None:
    add(path, "apptainer")
    command = exec_command(Path("x.sif"), environment={"A": "1", "UCX_TLS": "tcp,self"})
    values = [command[i + 1] for i, word in enumerate(command) if word == "--env"]
    assert values == ["A=1", '"UCX_TLS=tcp,self"']

"""What a point says of a program that its own Makefile builds, and what is refused before a job."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from weft.config.model.program_files import ProgramFiles
from weft.config.points.program_build import BuildError
from weft.plan.identity import by_content

from tests.programs.test_own_build import BUILD, RING, build_of


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the sources of the ring."""
    shutil.copytree(RING, tmp_path / "configs" / "experiment" / "ring")
    return tmp_path


def test_every_file_of_the_folder_is_part_of_the_point(project: Path) -> None:
    ring = project / "configs" / "experiment" / "ring"
    (ring / ".git").mkdir()
    (ring / ".git" / "index").write_text("x")
    before = build_of(project)
    names = {Path(path).name for path, _ in before["files"]}
    assert names == {path.name for path in RING.iterdir()}
    (ring / "ring.c").write_text((ring / "ring.c").read_text() + "/* A comment. */\n")
    assert build_of(project)["files"] != before["files"]
    fewer = build_of(project, {"files": ["**", "!*.txt", "!write_*"]})
    assert {Path(path).name for path, _ in fewer["files"]} == names - {
        "CMakeLists.txt",
        "write_size",
    }


def test_a_folder_is_the_same_wherever_it_lies(project: Path) -> None:
    here = by_content({"build": build_of(project)})
    (project / "configs/experiment/ring").rename(project / "moved")
    there = build_of(project, {"folder": "moved"})
    assert by_content({"build": there}) == here
    # The commands see the names below their folder, also where all files lie deeper.
    (project / "moved" / "deeper").mkdir()
    (project / "moved" / "ring.c").rename(project / "moved" / "deeper" / "ring.c")
    deep = by_content({"build": build_of(project, {"folder": "moved", "files": ["deeper/*"]})})
    assert [path for path, _ in deep["build"]["files"]] == ["deeper/ring.c"]  # type: ignore[index]
    assert by_content({"build": {**there, "make": {**there["make"], "executable": "x"}}}) != here


def test_links_do_not_lead_out_of_the_folder(project: Path) -> None:
    (project / "configs/experiment/ring/out.h").symlink_to("/etc/hostname")
    with pytest.raises(BuildError, match=r"out\.h is a link that leads out of"):
        build_of(project)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ({}, "give one of sources, build and executable"),
        ({"sources": ["a.c"], "executable": "a"}, "got sources and executable"),
        (
            {"build": BUILD, "flags": ["-O3"]},
            "flags is for sources; with build the project decides",
        ),
        ({"executable": "a", "defines": {"A": 1}}, "defines is for sources"),
        ({"build": {**BUILD, "command": "make -j2"}}, "write a list of words, like [make, -j2]"),
        ({"build": {**BUILD, "command": []}}, "at least 1 item"),
        ({"build": {**BUILD, "command": ["sh", "-c", "make"]}}, "'sh -c' begins a shell"),
        ({"build": {**BUILD, "command": ["make; rm"]}}, "is not the name of a program"),
        (
            {"build": {**BUILD, "executable": "../a"}},
            "'../a' leads out of the folder that is built",
        ),
        ({"build": {**BUILD, "executable": "/bin/ls"}}, "leads out of the folder"),
        ({"build": {**BUILD, "files": ["../*"]}}, "leads out of the folder"),
        ({"build": {**BUILD, "executable": "a+b"}}, "name is required"),
    ],
)
def test_what_is_no_build_is_refused(program: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(words)):
        ProgramFiles.model_validate(program)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        ({"folder": "rings"}, "there is no folder rings"),
        ({"folder": "../../.."}, "leads out of"),
        ({"files": ["*.f90"]}, "no file of"),
    ],
)
def test_folders_and_files_that_are_not_there_are_refused(
    project: Path, build: dict[str, Any], words: str
) -> None:
    with pytest.raises(BuildError, match=re.escape(words)):
        build_of(project, build)

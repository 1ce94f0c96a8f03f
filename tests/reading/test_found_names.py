"""Folders and names that a command is given: found, or refused by name."""

from __future__ import annotations

import re
import shutil

import pytest
from weft.read import Project

from tests.reading.test_command import weft

pytestmark = pytest.mark.slow


def test_a_folder_of_experiments_may_be_given_by_a_relative_path(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    apps = project.root.parent / "apps"
    (apps / "experiment").mkdir(parents=True)
    shutil.copy(project.configs / "experiment" / "tori.yaml", apps / "experiment" / "mine.yaml")
    monkeypatch.chdir(project.root)
    shown = weft(project, "--experiments", "../apps", "list").output
    assert re.search(r"^mine +new · flow$", shown, re.M)
    assert re.search(r"^untouched +new · flow$", shown, re.M)
    # It has no program whose verification could be asked.
    ran = weft(project, "applications", "../apps", "mine")
    assert isinstance(ran.exception, SystemExit | None)
    assert "its workload is no program, so there is nothing to verify" in ran.output


@pytest.mark.parametrize("option", ["--engine", "--topology", "--paper"])
def test_a_list_of_an_unknown_name_is_refused(project: Project, option: str) -> None:
    done = weft(project, "list", option, "packets")
    assert done.exit_code == 1
    assert f"unknown {option[2:]} packets" in done.output
    assert ("did you mean 'packet'?" in done.output) == (option == "--engine")

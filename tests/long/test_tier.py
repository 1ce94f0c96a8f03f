"""The long tier itself, in a project of its own: what is skipped, what runs, what is recorded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.long.tier import ROOT, code_digest, is_fresh

#: A suite that covers the folder `code`, by a test that reads it.
SUITE = """\
import pytest
from pathlib import Path

@pytest.mark.long("survey")
def test_survey(record_property):
    record_property("rate", 0.5)
    assert (Path(__file__).parents[1] / "code" / "x").read_text() != "wrong"

def test_other():
    pass
"""
#: A further test of the suite, in a file of its own.
FURTHER = """\
import pytest

@pytest.mark.long("survey")
@pytest.mark.slow
def test_further():
    pass
"""
#: A second one, in the same file.
SECOND = """
@pytest.mark.long("survey")
def test_second():
    pass
"""
SUITES_OF_IT = 'SUITES = {"survey": ("code", ":(exclude)code/tests")}\n'
#: What the real one says of the tier; weft itself is not needed.
CONFTEST = """\
from tests.long.tier import LongTier, add_option

def pytest_addoption(parser):
    add_option(parser)

def pytest_configure(config):
    given = getattr(config, "workerinput", {})
    config.pluginmanager.register(LongTier(config.getoption("--long"), given))
"""


class Project:
    """A checkout whose suite `survey` covers `code`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = folder / "tests/long/record.json"
        for name in ("tests/long/tier.py", "pyproject.toml"):
            self.write(name, (ROOT / name).read_text())
        self.write("tests/long/suites.py", SUITES_OF_IT)
        self.write("tests/conftest.py", CONFTEST)
        self.write("tests/test_survey.py", SUITE)
        self.write("code/x", "right")
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def pytest(self, *options: str) -> str:
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-rs", "-p", "xdist", *options],
            **{"cwd": self.folder, "env": environment, "capture_output": True, "text": True},
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.stdout

    def entry(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.record.read_text())["survey"]
        return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("spread", [(), ("-n", "2")], ids=["one", "several"])
def test_a_suite_runs_once_for_the_same_code(project: Project, spread: tuple[str, ...]) -> None:
    first = project.pytest("--long=stale", *spread)
    assert "2 passed" in first
    assert "long tier: survey: passed; commit tests/long/record.json" in first
    entry = project.entry()
    assert (entry["passed"], entry["failed"]) == (1, 0)
    assert entry["numbers"] == {"tests/test_survey.py::test_survey rate": 0.5}
    second = project.pytest("--long=stale", *spread)
    assert "1 passed, 1 skipped" in second
    assert f"long tier: survey: recorded on {entry['date']} for this code" in second
    assert project.entry() == entry


@pytest.mark.slow
def test_a_suite_runs_again_when_what_it_covers_changes(project: Project) -> None:
    project.pytest("--long=stale")
    project.write("code/tests/y", "not covered")
    project.write("docs.md", "not covered")
    assert "1 skipped" in project.pytest("--long=stale")
    project.write("code/z", "a new file")
    assert "2 passed" in project.pytest("--long=stale")


@pytest.mark.slow
def test_a_comment_makes_no_suite_run_again(project: Project) -> None:
    project.write("code/main.rs", "fn main() {}\n")
    project.pytest("--long=stale")
    project.write("code/main.rs", "//! Why.\n\nfn main() {} // all\n")
    assert "1 skipped" in project.pytest("--long=stale")
    project.write("code/main.rs", "fn main() { run() }\n")
    assert "2 passed" in project.pytest("--long=stale")


@pytest.mark.slow
def test_a_failure_is_recorded_and_runs_again(project: Project) -> None:
    project.write("code/x", "wrong")
    for _ in range(2):
        printed = project.pytest("--long=stale")
        assert "1 failed, 1 passed" in printed
        assert "long tier: survey: 1 tests failed" in printed
        assert project.entry()["failed"] == 1


@pytest.mark.slow
def test_every_suite_runs_when_all_are_asked_for(project: Project) -> None:
    project.pytest("--long=stale")
    assert "2 passed" in project.pytest("--long=all")


def test_without_the_option_a_suite_runs_and_nothing_is_recorded(project: Project) -> None:
    assert "2 passed" in project.pytest()
    assert not project.record.exists()


def test_a_suite_with_skipped_tests_is_not_recorded(project: Project) -> None:
    skipping = SUITE.replace("assert (", "pytest.skip('no root')\n    (")
    project.write("tests/test_survey.py", skipping)
    assert "survey: 1 tests skipped, not recorded" in project.pytest("--long=stale")
    assert not project.record.exists()


@pytest.mark.parametrize(
    "selection",
    [
        ("--long=all", "tests/test_survey.py"),
        ("--long=stale", "tests/test_survey.py", "-n", "2"),
        ("--long=all", "tests/test_survey.py::test_survey", "tests/test_further.py"),
        ("--long=all", "--ignore", "tests/test_further.py"),
        ("--long=all", "--deselect", "tests/test_survey.py::test_survey"),
        ("--long=stale", "-k", "not second"),
        ("--long=all", "-m", "not slow", "-n", "2"),
    ],
    ids=" ".join,
)
def test_a_suite_of_which_only_some_tests_ran_is_not_recorded(
    project: Project, selection: tuple[str, ...]
) -> None:
    project.write("tests/test_further.py", FURTHER)
    project.write("tests/test_survey.py", SUITE + SECOND)
    printed = project.pytest(*selection)
    assert "long tier: survey: not all of its tests ran, not recorded" in printed
    assert not project.record.exists()


def test_a_selection_with_all_tests_of_a_suite_is_recorded(project: Project) -> None:
    project.write("tests/test_further.py", FURTHER)
    assert "long tier: survey: passed" in project.pytest("--long=all", "-m", "long", "tests")
    assert project.entry()["passed"] == 2


def test_a_run_that_stops_at_a_failure_is_not_recorded(project: Project) -> None:
    project.write("code/x", "wrong")
    project.write("tests/test_survey.py", SUITE + SECOND)
    assert "1 failed" in project.pytest("--long=all", "-x")
    assert not project.record.exists()


def test_code_outside_a_checkout_is_never_known(tmp_path: Path) -> None:
    assert code_digest(("code",), tmp_path) is None
    assert not is_fresh({"code_sha256": "a", "failed": 0}, None)

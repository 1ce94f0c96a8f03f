"""The long tier itself, in a project of its own: what is skipped, what runs, what is recorded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.long.digest import ROOT, code_digests
from tests.long.stale import is_fresh

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
        tier = ("digest", "stale", "tier")
        for name in ("pyproject.toml", *(f"tests/long/{each}.py" for each in tier)):
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

    def stale(self) -> subprocess.CompletedProcess[str]:
        """What `.ci/run` asks before anything is installed: with nothing but Python."""
        command = [sys.executable, "-S", "-m", "tests.long.stale"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True
        )

    def entries(self) -> dict[str, dict[str, object]]:
        """Of each file of the suite."""
        found: dict[str, dict[str, object]] = json.loads(self.record.read_text())["survey"]
        return found

    def entry(self, file: str = "tests/test_survey.py") -> dict[str, object]:
        return self.entries()[file]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spread", [(), ("-n", "2"), ("-n", "auto")], ids=["one", "several", "as many as there may be"]
)
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
def test_another_name_of_a_file_makes_no_suite_run_again(project: Project) -> None:
    project.pytest("--long=stale")
    (project.folder / "code/x").rename(project.folder / "code/a")
    # What the test reads lies elsewhere, so that only the digest can be asked.
    project.write("x/x", "right")
    assert "1 passed, 1 skipped" in project.pytest("--long=stale")


def test_another_name_of_a_module_changes_no_digest(project: Project) -> None:
    project.write("code/a.py", "import code.z\nfrom code.b import f, g\n\nf(g)\n")
    project.write("code/b.py", "from code.c import f\n\n\ndef g():\n    return 1\n")
    project.write("code/c.py", "def f():\n    return 2\n")
    project.write("code/z.py", "")

    def digest() -> str | None:
        [each] = code_digests(("code",), ["tests/test_survey.py"], project.folder).values()
        return each

    before = digest()
    (project.folder / "code/c.py").rename(project.folder / "code/longer.py")
    project.write("code/b.py", "from code.longer import (\n    f,\n)\n\n\ndef g():\n    return 1\n")
    (project.folder / "code/b.py").rename(project.folder / "code/zz.py")
    project.write("code/a.py", "from code.zz import f, g\nimport code.z\n\nf(g)\n")
    assert digest() == before
    for changed in (
        "from code.longer import f, g",
        "from code.zz import g, f",
        "from other import f, g",
    ):
        project.write("code/a.py", f"{changed}\nimport code.z\n\nf(g)\n")
        assert digest() != before, changed


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
        ("--long=all", "tests/test_survey.py::test_survey"),
        ("--long=all", "--deselect", "tests/test_survey.py::test_survey"),
        ("--long=stale", "-k", "not second"),
        ("--long=all", "-m", "not slow", "-n", "2"),
    ],
    ids=" ".join,
)
def test_a_file_of_which_only_some_tests_ran_is_not_recorded(
    project: Project, selection: tuple[str, ...]
) -> None:
    project.write("tests/test_survey.py", SUITE + SECOND.replace("@", "@pytest.mark.slow\n@", 1))
    printed = project.pytest(*selection)
    assert "long tier: survey: not all tests ran, not recorded" in printed
    assert not project.record.exists()


def test_files_of_a_suite_are_recorded_one_by_one(project: Project) -> None:
    project.write("tests/test_further.py", FURTHER)
    assert "long tier: survey: passed" in project.pytest("--long=all", "tests/test_survey.py")
    assert [*project.entries()] == ["tests/test_survey.py"]
    printed = project.pytest("--long=stale", "-n", "2")
    assert "2 passed, 1 skipped" in printed
    assert "long tier: survey: 1 of 2 files: passed; commit" in printed
    assert sorted(project.entries()) == ["tests/test_further.py", "tests/test_survey.py"]


def test_a_file_of_tests_makes_no_other_one_run_again(project: Project) -> None:
    project.write("code/tests/test_b.py", "")
    project.write("tests/long/suites.py", 'SUITES = {"survey": ("code", "tests/test_*.py")}\n')
    project.write("tests/test_further.py", FURTHER)
    project.pytest("--long=stale")
    project.write("tests/test_further.py", f"{FURTHER}    assert True\n")
    assert "2 passed, 1 skipped" in project.pytest("--long=stale")


def test_a_file_of_tests_runs_again_when_another_changes_from_which_it_imports(
    project: Project,
) -> None:
    importing = FURTHER.replace(
        "import pytest", "import pytest\nfrom tests.test_helping import HELP"
    )
    project.write("tests/long/suites.py", 'SUITES = {"survey": ("code", "tests/test_*.py")}\n')
    project.write("tests/test_further.py", importing)
    project.write("tests/test_helping.py", "from tests.test_base import HELP\n")
    project.write("tests/test_base.py", "HELP = 1\n")
    project.pytest("--long=stale")
    project.write("tests/test_base.py", "HELP = 2\n")
    assert "2 passed, 1 skipped" in project.pytest("--long=stale")


def test_a_file_that_is_gone_leaves_the_record(project: Project) -> None:
    project.write("tests/test_further.py", FURTHER)
    project.pytest("--long=all")
    (project.folder / "tests/test_further.py").unlink()
    project.pytest("--long=all")
    assert [*project.entries()] == ["tests/test_survey.py"]


def test_a_run_that_stops_at_a_failure_is_not_recorded(project: Project) -> None:
    project.write("code/x", "wrong")
    project.write("tests/test_survey.py", SUITE + SECOND)
    assert "1 failed" in project.pytest("--long=all", "-x")
    assert not project.record.exists()


def test_code_outside_a_checkout_is_never_known(tmp_path: Path) -> None:
    assert code_digests(("code",), ["tests/test_a.py"], tmp_path) == {"tests/test_a.py": None}
    assert not is_fresh({"code_sha256": "a", "failed": 0}, None)


def test_little_that_is_stale_runs_and_much_is_left_out_with_a_sentence(project: Project) -> None:
    project.pytest("--long=all")
    entry = project.entry()
    for seconds, outcome in ((2399, "2 passed"), (2500, "1 passed, 1 skipped")):
        project.write("code/x", "right")
        old = {**entry, "seconds": seconds, "code_sha256": "of other code"}
        record = {"survey": {"tests/test_survey.py": old}}
        project.write("tests/long/record.json", json.dumps(record))
        asked = project.stale()
        assert outcome in (printed := project.pytest("--long=brief"))
    sentence = "21 min of the long tier have not run for this code (survey 21); `make test-stale` "
    assert f"long tier: {sentence}runs and records them" in printed
    assert asked.returncode == 1
    assert asked.stderr.startswith(f"weft: {sentence}")
    assert project.entry()["code_sha256"] == "of other code"
    assert "2 passed" in project.pytest("--long=stale")
    assert (project.stale().returncode, project.stale().stderr) == (0, "")


def test_ci_ends_before_it_installs_anything_where_much_is_stale(project: Project) -> None:
    for name in (".ci/run", "envs/test_machine.apt"):
        project.write(name, (ROOT / name).read_text())
    tokens = "workflow/weft/files/tokens.py"
    for name in ("workflow/weft/__init__.py", "workflow/weft/files/__init__.py"):
        project.write(name, "")
    project.write(tokens, (ROOT / tokens).read_text())
    called = 'echo "$0" "$@" >&2\n'
    for tool in ("apt-get", "dpkg-query", "make"):
        project.write(f"bin/{tool}", f"#!/bin/sh\n{called}")
        (project.folder / "bin" / tool).chmod(0o755)
    old = {"code_sha256": "of other code", "failed": 0, "seconds": 3600}
    record = {"survey": {"tests/test_survey.py": old}}
    project.write("tests/long/record.json", json.dumps(record))
    done = subprocess.run(
        ["bash", ".ci/run"],
        cwd=project.folder,
        env={**os.environ, "PATH": f"{project.folder}/bin:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("weft: 30 min of the long tier have not run for this code (survey 30); ")
    assert "`make test-stale` runs and records them" in line


@pytest.mark.slow
def test_more_processes_than_processors_make_a_suite_no_longer(project: Project) -> None:
    slow = SUITE.replace("    record", "    sleep(3)\n    record")
    project.write("tests/test_survey.py", f"from time import sleep\n{slow}")
    processes = 3 * len(os.sched_getaffinity(0))
    project.pytest("--long=stale", "-n", str(processes))
    # A third of what the test took; a busy machine may make it longer.
    assert 1 <= int(str(project.entry()["seconds"])) < 3

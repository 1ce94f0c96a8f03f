"""The engine of `docs/engines.md`: a declaration and a program, run by real Snakemake."""

import re
from pathlib import Path

import duckdb
import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

DOCUMENT = Path(__file__).parents[2] / "docs" / "engines.md"
#: A file's name in a paragraph of its own, and its text.
SHOWN = re.compile(r"^`([\w/.-]+)`:\n\n```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES = dict(SHOWN.findall(DOCUMENT.read_text()))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A copy of the project with the documented files; the program is on the PATH."""
    copy = Project(tmp_path_factory.mktemp("project"))
    folder = copy.folder / "commands"
    folder.mkdir()
    copy.environment["PATH"] = f"{folder}:{copy.environment['PATH']}"
    for name, text in FILES.items():
        if name.startswith("configs/"):
            (copy.folder / name).write_text(text)
    program(folder)
    return copy


def program(folder: Path, text: str = FILES["containers/weft-bound"]) -> Path:
    path = folder / "weft-bound"
    path.write_text(text)
    path.chmod(0o755)
    return path


def answers(project: Project, select: str) -> list[tuple]:
    with duckdb.connect(str(project.folder / "results" / "weft.duckdb"), read_only=True) as con:
        return con.execute(select).fetchall()


def test_the_documented_engine_answers_the_documented_experiment(project):
    outcome = project.run("reports/bounds.html", "--cores", "2")
    assert outcome.code == 0, outcome.output
    rows = answers(
        project,
        "select engine, \"topology.k\", value from answers where metric = 'makespan_s'",
    )
    bound = {k: value for engine, k, value in rows if engine == "bound"}
    flow = {k: value for engine, k, value in rows if engine == "flow"}
    # 10 messages of 1 KiB at 1 Gbit/s.
    assert bound == pytest.approx(dict.fromkeys((3, 4, 5), 10 * 1024 / 125e6))
    assert all(flow[k] > bound[k] for k in (3, 4, 5))
    page = (project.folder / "reports" / "bounds.html").read_text()
    assert "bound" in page


def test_its_version_is_the_programs_and_a_new_one_computes_anew(project):
    target = "results/bounds/collected.json"
    assert project.run(target, "--cores", "2").code == 0
    versions = "select distinct engine_version from runs where engine = 'bound'"
    assert answers(project, versions) == [("1.0",)]
    program(
        project.folder / "commands",
        FILES["containers/weft-bound"].replace('"version": "1.0"', '"version": "1.1"'),
    )
    outcome = project.run(target, "--cores", "2")
    assert outcome.jobs.get("simulate") == 1, outcome.output
    assert answers(project, versions) == [("1.1",)]


def test_its_options_are_checked_with_the_nearest_name(project):
    outcome = project.run("plan", "--config", "overrides=[engine.bound.eficiency=0.5]")
    assert outcome.code != 0
    assert "did you mean 'efficiency'?" in outcome.output


def test_a_program_named_in_the_environment_takes_its_place(project, tmp_path):
    other = FILES["containers/weft-bound"].replace('"version": "1.0"', '"version": "mine"')
    outcome = project.run(
        "plan",
        "--config",
        "experiments=[bounds]",
        WEFT_BOUND=str(program(tmp_path, other)),
    )
    assert re.search(r"^bounds +bound +3 +1 +3 +0 +0 +0 +0$", outcome.output, re.MULTILINE)

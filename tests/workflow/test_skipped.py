"""Points that need a program which the machine lacks, through real Snakemake."""

import os
import re
from pathlib import Path

import duckdb
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

EXPERIMENT = """
title: Not here
question: What becomes of points without their program?
defaults:
  - override /topology: mesh
  - override /network: gigabit
  - override /workload: open_loop
engines: [booksim]
workload: {include_self: true, injection_rate: 0.2}
sweep:
  topology.k: [2, 4]
"""
#: Records that it was started; it is not BookSim2.
SCRIPT = "#!/bin/sh\necho no answer\n"


@pytest.fixture(scope="module")
def bare(project, tmp_path_factory):
    """The project without any booksim on the PATH, and its first run."""
    folders = [f for f in os.environ["PATH"].split(os.pathsep) if not _has_booksim(f)]
    project.environment["PATH"] = os.pathsep.join(folders)
    project.write("absent", EXPERIMENT)
    first = project.run("reports/absent.html")
    assert first.code == 0, first.output
    return project, first


def _has_booksim(folder):
    return any(os.access(Path(folder) / name, os.X_OK) for name in ("booksim", "booksim2"))


def test_the_run_ends_well_and_prints_why(bare):
    project, first = bare
    stamp = project.stamp("absent")
    assert [stamp[key] for key in ("points", "done", "failed", "skipped", "missing")] == [
        2, 0, 0, 2, 0,
    ]  # fmt: skip
    assert "2 points skipped: no booksim executable: build BookSim2" in first.output


def test_the_plan_and_the_views_count_them(bare):
    project, _ = bare
    overview = project.run("plan").output
    assert re.search(r"absent +booksim +2 +1 +0 +0 +0 +2", overview), overview
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            "SELECT DISTINCT a.status, r.engine_version FROM answers AS a"
            " JOIN last_runs AS r USING (experiment, point_id) WHERE experiment = 'absent'"
        ).fetchall()
    assert rows == [("skipped", "absent")]


def test_the_page_says_how_many_and_why(bare):
    project, _ = bare
    page = (project.folder / "reports/absent.html").read_text()
    assert "booksim: 2 of 2 points were skipped: no booksim executable" in page
    assert "points skipped: no booksim executable: build BookSim2" in page


def test_the_same_command_again_does_nothing(bare):
    project, _ = bare
    assert project.collect("absent").jobs == {}


def test_points_are_planned_again_when_an_executable_appears(bare, tmp_path):
    project, _ = bare
    path = tmp_path / "booksim"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    overrides = f"overrides=[machine.booksim_path={path}]"
    again = project.collect("absent", "--config", overrides)
    # Every point failed.
    assert again.code == 1, again.output
    assert again.jobs == {"simulate": 1, "collect": 1}
    stamp = project.stamp("absent")
    assert (stamp["failed"], stamp["skipped"]) == (2, 0)

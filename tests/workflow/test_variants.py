"""Runs otherwise than written: pages, rows and plans of their own."""

import duckdb
import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

CHANGED = ("--config", "overrides=[workload.per_node=3]")


def rows(project: Project) -> dict[tuple[str, int], int]:
    """How many points each experiment has, by messages per node."""
    path = str(project.folder / "results" / "weft.duckdb")
    with duckdb.connect(path, read_only=True) as con:
        query = """SELECT experiment, "workload.per_node", count(DISTINCT point_id) FROM answers
                   WHERE starts_with(experiment, 'varied') GROUP BY ALL"""
        return {(name, size): count for name, size, count in con.execute(query).fetchall()}


def test_overrides_replace_neither_page_nor_rows(project: Project) -> None:
    project.small("varied", [3, 4])
    done = project.run("reports/varied.html")
    assert done.code == 0, done.output
    page = project.folder / "reports" / "varied.html"
    before = page.read_bytes()

    done = project.run("reports/varied.html", *CHANGED)

    assert done.code == 0, done.output
    assert page.read_bytes() == before
    variant = project.folder / "reports" / "varied@workload.per_node=3.html"
    assert "Not the experiment as written" in variant.read_text()
    assert "<code>workload.per_node=3</code>" in variant.read_text()
    found = rows(project)
    assert found == {("varied", 10): 2, ("varied@workload.per_node=3", 3): 2}
    # A variant's page is a target by its own name, without the overrides that made it. A shell
    # completes a path as a person began it.
    for made in (page, variant):
        again = project.run("-n", str(made.relative_to(project.folder)), str(made))
        assert "Nothing to be done" in again.output
    compared = page.parent / "compare" / "varied..varied@workload.per_node=3.html"
    done = project.run(str(compared))
    assert done.code == 0, done.output
    assert done.jobs == {"compare": 1}
    said = compared.read_text()
    assert "changed by more than the scatter from as written to" in said
    assert "workload.per_node (10 → 3)" in said


def test_a_run_has_a_name_of_its_own_and_computes_anew(project: Project) -> None:
    project.small("run_named", [3])
    assert project.collect("run_named").code == 0
    done = project.run("reports/run_named.html", "--config", "run=after")
    assert done.code == 0, done.output
    assert len(project.computed("run_named@after")) == 1
    assert (project.folder / "reports" / "run_named@after.html").exists()


def test_the_short_form_is_the_experiments_own(project: Project) -> None:
    path = project.small("lengthy", [3, 4, 5])
    path.write_text(path.read_text() + "quick: ['sweep.topology.k=[3]']\n")
    done = project.run("reports/lengthy.html", "--config", "effort=quick")
    assert done.code == 0, done.output
    assert len(project.computed("lengthy@quick")) == 1
    assert "its short form" in (project.folder / "reports" / "lengthy@quick.html").read_text()


def test_a_variant_that_nobody_made_says_what_to_do(project: Project) -> None:
    project.small("unmade", [3])
    done = project.run("reports/unmade@before.html")
    assert done.code == 1
    assert "'unmade@before' was never run here: give --config run=" in done.output

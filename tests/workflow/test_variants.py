"""Runs otherwise than written: pages, rows and plans of their own."""

import duckdb
import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

CHANGED = ("--config", "overrides=[workload.per_node=3]")


def rows(project: Project) -> dict[str, int]:
    path = str(project.folder / "results" / "weft.duckdb")
    with duckdb.connect(path, read_only=True) as con:
        query = "SELECT experiment, count(DISTINCT point_id) FROM answers GROUP BY ALL"
        return dict(con.execute(query).fetchall())


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
    assert found["varied"] == found["varied@workload.per_node=3"] == 2
    again = project.run("-n", "reports/varied.html")
    assert "Nothing to be done" in again.output
    # Its page is a target by its own name, without the overrides that made it.
    again = project.run("-n", "reports/varied@workload.per_node=3.html")
    assert "Nothing to be done" in again.output
    # A shell completes a path as a person began it.
    for target in (page, page.with_name("varied@workload.per_node=3.html")):
        again = project.run("-n", str(target))
        assert "Nothing to be done" in again.output
    compared = page.parent / "compare" / "varied..varied@workload.per_node=3.html"
    assert project.run(str(compared)).code == 0
    assert compared.is_file()


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

"""Points that need more nodes than a job may have, through real Snakemake and MPI."""

import re

import duckdb
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

EXPERIMENT = """
title: Too wide
question: What becomes of points that no job can have the nodes of?
defaults: [override /workload: alltoall]
engines: [hardware]
engine: {{hardware: {{repetitions: 2, min_repetitions: 1, budget: 1 ms}}}}
machine: {{scheduler: other, ranks_per_node: 1, nodes: {nodes}}}
workload: {{message_size: 8 B}}
sweep: {{workload.ranks: [2, 4]}}
replicates: 2
"""


def statuses(project):
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        return con.execute(
            'SELECT "workload.ranks", status, error, count(*), min(attempt) FROM last_runs'
            " JOIN parameters USING (experiment, point_id) GROUP BY ALL ORDER BY ALL"
        ).fetchall()


@pytest.fixture(scope="module")
def narrow(project):
    """A machine of two nodes, and its first run."""
    project.write("wide", EXPERIMENT.format(nodes=2))
    first = project.run("reports/wide.html")
    assert first.code == 0, first.output
    return project, first


def test_one_message_names_file_line_key_and_what_is_allowed(narrow):
    (said,) = [line for line in narrow[1].output.splitlines() if line.startswith("weft: configs")]
    assert re.match(r"weft: configs/experiment/wide\.yaml:9:\d+: \S*workload\.ranks: ", said)
    assert "2 points are not measured: 4 ranks need 4 nodes, 1 on each" in said
    assert "but machine.nodes allows 2; machine.nodes and machine.ranks_per_node" in said


def test_the_others_are_measured_and_no_job_asks_for_these_nodes(narrow):
    project, first = narrow
    assert first.jobs == {"collect": 1, "measure": 1, "refuse": 1, "report": 1}
    (done, skipped) = statuses(project)
    assert (done[:2], done[3]) == ((2, "done"), 2)
    assert (skipped[:2], skipped[3]) == ((4, "skipped"), 2)
    assert skipped[2] == "4 ranks need 4 nodes, 1 on each, but machine.nodes allows 2"


def test_the_plan_and_the_page_say_so(narrow):
    project, _ = narrow
    plan = project.run("plan").output
    # On a busy machine points are flagged, and count in another column.
    assert re.search(r"wide +hardware +4 +2 +0 +\d +0 +2 +\d\n", plan), plan
    assert "2 points are not measured" in plan
    page = (project.folder / "reports/wide.html").read_text()
    assert "hardware: 2 of 4 points were skipped: 4 ranks need 4 nodes, 1 on each" in page
    assert project.collect("wide").jobs == {}


def test_on_a_larger_machine_only_they_are_measured_and_a_smaller_one_loses_nothing(narrow):
    project, _ = narrow
    before = project.computed("wide")
    project.write("wide", EXPERIMENT.format(nodes=4))
    outcome = project.collect("wide")
    assert "refuse" not in outcome.jobs, outcome.output
    assert [line for line in project.computed("wide") if line in before] == before
    assert [(row[:2], row[3]) for row in statuses(project)] == [((2, "done"), 2), ((4, "done"), 2)]
    measured = project.computed("wide")
    project.write("wide", EXPERIMENT.format(nodes=2))
    again = project.collect("wide")
    assert "not measured" not in again.output
    assert project.computed("wide") == measured
    assert [row[1] for row in statuses(project)] == ["done", "done"]

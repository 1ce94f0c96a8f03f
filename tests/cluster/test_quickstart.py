"""The first thing that a newcomer types on a cluster, word for word."""

import json

import duckdb
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]


@pytest.fixture(scope="module")
def quickstarted(project):
    project.take_images("flow", "rdma", "packet", "hardware")
    project.finish(project.start("snakemake", "--profile", "slurm"))
    return project


def query(project, text):
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        return con.execute(text).fetchall()


def test_the_reports_are_there(quickstarted):
    assert "Quickstart" in (quickstarted.folder / "reports/quickstart.html").read_text()
    assert (quickstarted.folder / "reports/index.html").exists()


def test_every_point_is_answered_in_an_image(quickstarted):
    rows = query(
        quickstarted,
        "SELECT engine, bool_and(status = 'done'), bool_and(image_sha256 IS NOT NULL) "
        "FROM runs WHERE experiment = 'quickstart' GROUP BY engine ORDER BY engine",
    )
    assert rows == [(name, True, True) for name in ("flow", "hardware", "packet", "rdma")]


def test_the_ping_pong_goes_from_node_to_node(quickstarted):
    found = query(
        quickstarted,
        "SELECT environment FROM runs WHERE experiment = 'quickstart' AND engine = 'hardware'",
    )
    assert found
    for (environment,) in found:
        assert len(set(json.loads(environment)["hosts"])) == 2, environment

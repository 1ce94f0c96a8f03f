"""The packet simulator in its image on a cluster, beside the one of this machine."""

import json
import subprocess

import duckdb
import pytest

from tests.cluster.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

ROUTERS = """
title: Routers
question: Does a cluster's packet simulator answer as this machine's does?
defaults:
  - override /topology: torus
  - override /workload: open_loop
engines: [flow, packet]
engine: {packet: {measure_cycles: 2000, tables: [nodes]}}
sweep:
  topology.k: [2, 3, 4, 5]
  workload.injection_rate: [0.2, 0.4]
"""


@pytest.fixture(scope="module")
def answered(project):
    project.take_images("flow", "packet")
    project.write("routers", ROUTERS)
    project.finish(project.snakemake("reports/routers.html"))
    return project


def test_every_point_is_answered_in_an_image(answered):
    with duckdb.connect(str(answered.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            "SELECT engine, count(*), bool_and(status = 'done' AND image_sha256 IS NOT NULL) "
            "FROM runs GROUP BY engine ORDER BY engine"
        ).fetchall()
    assert rows == [("flow", 8, True), ("packet", 8, True)]


def test_the_answers_are_those_of_this_machine(answered, tmp_path):
    shards = sorted((answered.folder / "results/routers/packet").glob("*/input.json"))
    assert shards
    for shard in shards:
        out = tmp_path / shard.parent.name
        binary = ROOT / "simulators/target/release/weft-packet"
        command = [binary, "run", "--shard", shard, "--out", out]
        subprocess.run(command, check=True, capture_output=True)
        assert metrics(out) == metrics(shard.parent)


def metrics(folder):
    lines = (folder / "journal.jsonl").read_text().splitlines()
    return {line["point_id"]: line["metrics"] for line in map(json.loads, lines)}

"""The RDMA simulator in its image on a cluster: programs are compiled there, and answer as here."""

import json
import subprocess

import duckdb
import pytest

from tests.cluster.conftest import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long("cluster")]

RINGS = """
title: Rings
question: Does a cluster's RDMA simulator answer as this machine's does?
defaults:
  - override /topology: torus
  - override /network: opennsim_table3
  - override /workload: random_ring
topology: {k: 4, dimensions: 2}
engines: [rdma]
engine: {rdma: {shard_points: 2, tables: [series, congestion]}}
workload: {program: own_ring, arguments: null, message_size: 40 KiB}
sweep:
  workload.ranks: [4, 16]
  network.software.send_overhead: [0 s, 200 ns]
figures:
  - line: {x: workload.ranks, y: program_time_s, color: network.software.send_overhead}
"""
OWN_RING = """
#include "mgen.h"
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int bytes = atoi(argv[argc - 1]), rank, size;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, (rank + 1) % size, 0, NULL, bytes, MGEN_BYTE,
                  (rank + size - 1) % size, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    return 0;
}
"""


@pytest.fixture(scope="module")
def answered(project):
    project.take_images("rdma")
    project.write("rings", RINGS)
    (project.folder / "configs/experiment/own_ring.c").write_text(OWN_RING)
    project.finish(project.snakemake("reports/rings.html"))
    return project


def test_every_point_is_answered_in_the_image(answered):
    with duckdb.connect(str(answered.folder / "results/weft.duckdb"), read_only=True) as con:
        rows = con.execute(
            "SELECT engine, count(*), bool_and(status = 'done' AND image_sha256 IS NOT NULL) "
            "FROM runs GROUP BY engine"
        ).fetchall()
    assert rows == [("rdma", 4, True)]


def test_the_program_was_compiled_in_the_working_folder(answered):
    assert list((answered.folder / "programs/build").glob("*/program.so"))


def test_the_answers_are_those_of_this_machine(answered, tmp_path):
    shards = sorted((answered.folder / "results/rings/rdma").glob("*/input.json"))
    assert len(shards) == 2
    for shard in shards:
        out = tmp_path / shard.parent.name
        binary = ROOT / "simulators/target/release/weft-rdma"
        command = [binary, "run", "--shard", shard, "--out", out]
        subprocess.run(command, check=True, capture_output=True, cwd=answered.folder)
        assert metrics(out) == metrics(shard.parent)


def metrics(folder):
    lines = (folder / "journal.jsonl").read_text().splitlines()
    return {line["point_id"]: line["metrics"] for line in map(json.loads, lines)}

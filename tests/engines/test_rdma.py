"""The engine rdma as experiments ask it: programs, what it must refuse, and its image."""

import json

import pyarrow.parquet as pq
import pytest
from weft.config.model.engine import declared_engines
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.machine import MachineFile
from weft.plan import expand

from tests.config.conftest import SHIPPED, Tree, tree
from tests.containers_support import built_image
from tests.small_topologies import TOPOLOGIES

__all__ = ["tree"]
#: Every rank puts to the next one, sends it `argv[1]` bytes, and adds up.
RING = """
#include "mgen.h"
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int bytes = argc > 1 ? atoi(argv[1]) : 0, rank, size, sum;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Comm_size(MGEN_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double start = MGEN_Wtime();
    MGEN_rdma_complete(MGEN_rdma_put(next, 8, 1));
    MGEN_rdma_poll(1);
    MGEN_Sample("put_time_s", MGEN_Wtime() - start);
    MGEN_Sendrecv(NULL, bytes, MGEN_BYTE, next, 0, NULL, bytes, MGEN_BYTE, last, 0,
                  MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    MGEN_Allreduce(&rank, &sum, 1, MGEN_INT, MGEN_SUM, MGEN_COMM_WORLD);
    return sum == size * (size - 1) / 2 ? 0 : 1;
}
"""
#: The first rank puts 8 bytes, the second one reports when they are there.
PUT = """
#include "mgen.h"

int MGEN_Main(int argc, char **argv) {
    int rank;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank == 0)
        MGEN_rdma_complete(MGEN_rdma_put(1, 8, 1));
    else {
        MGEN_rdma_poll(1);
        MGEN_Sample("put_time_s", MGEN_Wtime());
    }
    return 0;
}
"""
#: One message of `argv[1]` bytes.
ONE_WAY = """
#include "mgen.h"
#include <stdlib.h>

int MGEN_Main(int argc, char **argv) {
    int rank, bytes = atoi(argv[1]);
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    if (rank == 0)
        MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
    else {
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        MGEN_Sample("one_way_time_s", MGEN_Wtime());
    }
    return 0;
}
"""
TABLES = ["series", "links", "messages", "congestion"]


@pytest.fixture(autouse=True)
def programs(tree, monkeypatch):
    """A project with nothing but its configuration and three programs, as working folder."""
    for name, text in (("ring", RING), ("put", PUT), ("one_way", ONE_WAY)):
        tree.write(f"experiment/{name}.c", text)
    tree.write("workload/uniform.yaml", "kind: program\nprogram: ring\nranks: 4\n")
    monkeypatch.chdir(tree.root)


def specs(tree: Tree, body: str):
    tree.experiment("engines: [rdma]\n" + body)
    return [point.spec for point in expand(tree.load())]


def run(folder, points, image=None, calibration=None):
    """The tables of one shard."""
    folder.mkdir(parents=True)
    shard = {
        "schema": 1,
        "engine": "rdma",
        "engine_version": engine("rdma").version(MachineFile(), image.name if image else None),
        "shard": "b" * 12,
        "attempts": {},
        "points": [{"point_id": f"{i:012x}", **spec} for i, spec in enumerate(points)],
    }
    (folder / "shard.json").write_text(json.dumps(shard))
    fitted = None
    if calibration:
        fitted = folder / "calibration.json"
        fitted.write_text(json.dumps(calibration))
    run_shard(folder / "shard.json", fitted, image, folder / "out", 2, folder / "run.log")
    files = (folder / "out").glob("*.parquet")
    return {path.stem: pq.read_table(path).to_pylist() for path in files}


def value(tables, metric):
    (row,) = (row for row in tables["metrics"] if row["metric"] == metric)
    return row["value"]


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_a_program_beside_the_experiment_is_answered_on_every_topology(tree, tmp_path, kind):
    body = f"defaults: [override /topology: {kind}]\ntopology: {{{TOPOLOGIES[kind]}}}\n"
    tables = run(tmp_path / "out", specs(tree, body + "workload: {message_size: 20 KiB}\n"))
    assert [row["error"] for row in tables["runs"]] == [None]
    assert value(tables, "program_time_s") > value(tables, "put_time_s") > 0


def test_a_put_takes_what_the_table_of_the_paper_says(tree, tmp_path):
    body = "defaults: [override /network: infiniband_qdr]\nworkload: {program: put, ranks: 2}\n"
    tables = run(tmp_path / "out", specs(tree, body))
    # Node latency, two cables, RC + VA + SA, the switch, 8 + 32 B at 4 GB/s, DMA on both sides.
    expected = 1000 + 2 * 0.6 + 12 + 128 + (8 + 32) / 4 + 2 * 8 / 2.8
    assert value(tables, "put_time_s") == pytest.approx(expected * 1e-9, abs=2e-12)


def test_a_measured_network_gives_latency_and_bandwidth(tree, tmp_path):
    (spec,) = specs(
        tree,
        "workload: {program: one_way, ranks: 2, message_size: 8 KiB}\n",
    )
    spec = {**spec, "network": {"calibrated_from": "pingpong", "hop_latency_s": 0.0}}
    fitted = {"latency_s": 5e-6, "bandwidth_bytes_per_s": 1e9}
    tables = run(tmp_path / "out", [spec], calibration=fitted)
    assert value(tables, "one_way_time_s") == pytest.approx(5e-6 + 8192 / 1e9, rel=1e-9)


@pytest.mark.slow
def test_what_the_declaration_refuses_the_simulator_refuses_too(tree, tmp_path):
    capabilities = declared_engines(SHIPPED)["rdma"].capabilities
    asked = []
    for kind in TOPOLOGIES:
        body = f"defaults: [override /topology: {kind}]\ntopology: {{{TOPOLOGIES[kind]}}}\n"
        (spec,) = specs(tree, body + "network: {router: {}}\n")
        for key, found in (
            *(("router", {"virtual_channels": count}) for count in (1, 2, 3, 4)),
            ("router", {"virtual_channels": 1, "torus_classes": "balanced"}),
            ("router", {"virtual_channels": 3, "torus_classes": "balanced"}),
            ("router", {"vc_buffer_bytes": 1024}),
            ("packet", {"mtu_bytes": 16384}),
        ):
            network = spec["network"]
            part = {**network.get(key, {}), **found}
            asked.append({**spec, "network": {**network, key: part}})
        asked.append({**spec, "options": {**spec["options"], "rank_to_node": "file"}})
    for row in run(tmp_path / "out", asked)["runs"]:
        spec = asked[int(row["point_id"], 16)]
        refused = [problem.message for problem in capabilities.problems(spec)]
        case = (spec["topology"], spec["network"], spec["options"], refused, row["error"])
        assert (row["status"] == "failed") == bool(refused), case


@pytest.fixture
def with_tables(tree):
    return specs(
        tree,
        "defaults: [override /topology: torus, override /network: opennsim_table3]\n"
        "topology: {k: 4, dimensions: 2}\nworkload: {message_size: 40 KiB, ranks: 16}\n"
        f"engine: {{rdma: {{tables: [{', '.join(TABLES)}, history]}}}}\n",
    )


def test_every_side_table_has_rows(with_tables, tmp_path):
    tables = run(tmp_path / "out", with_tables)
    assert [row["error"] for row in tables["runs"]] == [None]
    assert {name for name in TABLES if tables[name]} == set(TABLES)
    assert json.loads((tmp_path / "out/out/history-000000000000.json").read_text())


@pytest.mark.slow
def test_a_program_is_compiled_once(with_tables, tmp_path, tree):
    for name in ("first", "second"):
        run(tmp_path / name, with_tables)
    assert len(list((tree.root / "programs/build").glob("*/program.so"))) == 1


@pytest.mark.slow
def test_natively_and_in_the_image_every_row_is_the_same(with_tables, tmp_path, tree):
    image = built_image("rdma")
    native = run(tmp_path / "native", with_tables)
    inside = run(tmp_path / "inside", with_tables, image)
    for table in ("metrics", *TABLES):
        assert native[table], f"{table} is empty"
        assert inside[table] == native[table]
    assert native["runs"][0]["engine_version"] == inside["runs"][0]["engine_version"]
    assert inside["runs"][0]["image_sha256"]


@pytest.mark.slow
def test_sources_and_data_on_another_disk_are_reached_from_the_image(tree, tmp_path):
    image = built_image("rdma")
    disk = tmp_path / "disk"
    disk.mkdir()
    for name in ("ring.c", "ranks.csv"):
        (disk / name).write_text(RING if name == "ring.c" else "rank,node\n0,1\n1,0\n")
    (tree.root / "configs/experiment/ring.c").unlink()
    (tree.root / "configs/experiment/ring.c").symlink_to(disk / "ring.c")
    (tree.root / "ranks.csv").symlink_to(disk / "ranks.csv")
    body = "workload: {ranks: 2, message_size: 8 B}\n"
    body += "engine: {rdma: {rank_to_node: file, rank_file: ranks.csv}}\n"
    tables = run(tmp_path / "out", specs(tree, body), image)
    assert [row["error"] for row in tables["runs"]] == [None]

"""The packet engine as experiments ask it: beside `flow`, and where it must refuse."""

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
from tests.small_topologies import ROUTINGS, TOPOLOGIES

pytestmark = pytest.mark.slow

__all__ = ["tree"]


def asked(tree: Tree, kind: str, body: str):
    tree.experiment(
        f"defaults: [override /topology: {kind}]\ntopology: {{{TOPOLOGIES[kind]}}}\n{body}"
    )
    return expand(tree.load())


def run(folder, specs, image=None):
    """The tables of one shard for each engine of `specs`."""
    found = {}
    for name in dict.fromkeys(spec["engine"] for spec in specs):
        points = [
            {"point_id": f"{i:012x}", **spec}
            for i, spec in enumerate(specs)
            if spec["engine"] == name
        ]
        (folder / name).mkdir(parents=True)
        shard = {
            "schema": 1,
            "engine": name,
            "engine_version": engine(name).version(MachineFile(), image.name if image else None),
            "shard": "b" * 12,
            "attempts": {},
            "points": points,
        }
        file = folder / name / "shard.json"
        file.write_text(json.dumps(shard))
        run_shard(file, None, image, folder / name / "out", 2, folder / name / "run.log")
        files = (folder / name / "out").glob("*.parquet")
        found[name] = {path.stem: pq.read_table(path).to_pylist() for path in files}
    return found


@pytest.mark.parametrize("kind", TOPOLOGIES)
@pytest.mark.parametrize(
    ("workload", "metric"),
    [("{per_node: 3, message_size: 125 B}", "makespan_s"), ("{kind: traffic}", "accepted_rate")],
)
def test_flow_and_packet_answer_the_same_point_with_the_same_metric(
    tree, tmp_path, kind, workload, metric
):
    group = "saturation" if "traffic" in workload else "uniform"
    tree.experiment(
        f"engines: [flow, packet]\ndefaults: [override /topology: {kind}, "
        f"override /workload: {group}]\ntopology: {{{TOPOLOGIES[kind]}}}\nworkload: {workload}\n"
        "engine: {packet: {measure_cycles: 1000}}\n"
    )
    tables = run(tmp_path, [point.spec for point in expand(tree.load())])
    for name in ("flow", "packet"):
        assert [row["error"] for row in tables[name]["runs"]] == [None]
        (row,) = (row for row in tables[name]["metrics"] if row["metric"] == metric)
        assert row["value"] > 0


def test_what_the_declaration_refuses_the_simulator_refuses_too(tree, tmp_path):
    capabilities = declared_engines(SHIPPED)["packet"].capabilities
    specs = []
    for kind in TOPOLOGIES:
        body = "engines: [packet]\nworkload: {message_size: 64 B, per_node: 1}\n"
        (point,) = asked(tree, kind, body)
        for routing in ROUTINGS.get(kind, [None]):
            topology = {**point.spec["topology"], **({"routing": routing} if routing else {})}
            for changes in (
                *({"virtual_channels": vcs} for vcs in (1, 2, 3, 4, 6, "per_destination")),
                {"virtual_channels": 6, "wait_for_tail_credit": True},
                {"virtual_channels": 1, "torus_classes": "balanced"},
                {"virtual_channels": 3, "torus_classes": "balanced"},
                {"virtual_channels": 6, "arbiter": "age"},
                {"virtual_channels": 6, "switching": "virtual_cut_through"},
                {
                    "virtual_channels": 6,
                    "switching": "virtual_cut_through",
                    "vc_buffer_flits": 16,
                },
            ):
                options = {**point.spec["options"], **changes}
                specs.append({**point.spec, "topology": topology, "options": options})
    runs = run(tmp_path, specs)["packet"]["runs"]
    for row in runs:
        spec = specs[int(row["point_id"], 16)]
        refused = [problem.message for problem in capabilities.problems(spec)]
        case = (spec["topology"], spec["options"], refused, row["error"])
        assert (row["status"] == "failed") == bool(refused), case
    assert {row["status"] for row in runs} == {"done", "failed"}


TABLES = ["messages", "links", "nodes", "buffers", "series"]


@pytest.fixture
def with_tables(tree):
    (point,) = asked(
        tree,
        "torus",
        "engines: [packet]\nworkload: {message_size: 125 B, per_node: 5}\n"
        f"engine: {{packet: {{tables: [{', '.join(TABLES)}]}}}}\n",
    )
    return point.spec


def test_every_side_table_has_rows(with_tables, tmp_path):
    tables = run(tmp_path, [with_tables])["packet"]
    assert [row["error"] for row in tables["runs"]] == [None]
    assert {name for name in TABLES if tables[name]} == set(TABLES)
    nodes = with_tables["topology"]["nodes"]
    assert len(tables["messages"]) == nodes * 5
    assert len(tables["nodes"]) == nodes


def test_a_point_without_tables_leaves_empty_ones(with_tables, tmp_path):
    options = {**with_tables["options"], "tables": []}
    tables = run(tmp_path, [{**with_tables, "options": options}])["packet"]
    assert all(tables[name] == [] for name in TABLES)


def test_natively_and_in_the_image_every_row_is_the_same(with_tables, tmp_path):
    native = run(tmp_path / "native", [with_tables])["packet"]
    inside = run(tmp_path / "inside", [with_tables], built_image("packet"))["packet"]
    for table in ("metrics", *TABLES):
        assert native[table], f"{table} is empty"
        assert inside[table] == native[table]
    assert native["runs"][0]["engine_version"] == inside["runs"][0]["engine_version"]

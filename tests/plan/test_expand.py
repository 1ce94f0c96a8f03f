"""A sweep becomes points; equal questions are asked once and keep their ids."""

import time

import pytest
from weft.plan import canonical_json, expand, short_digest

TORUS = "defaults: [override /topology: torus]\n"


def specs(tree, body, *overrides):
    tree.experiment(body)
    return [point.spec for point in expand(tree.load(overrides))]


def ids(tree, body):
    tree.experiment(body)
    return {point.point_id for point in expand(tree.load())}


def ks(found):
    return [spec["topology"]["k"] for spec in found]


def test_point_holds_si_values_and_its_id_is_the_digest(tree):
    tree.experiment(
        TORUS + "topology: {k: 4}\nnetwork: {bandwidth: 2 GB/s, latency: 100 ns}\n"
        "workload: {message_size: [1 KiB, 2 KiB]}\n"
    )
    (point,) = expand(tree.load())
    assert point.point_id == short_digest(point.spec)
    assert point.spec == {
        "engine": "flow",
        "topology": {
            "kind": "torus", "k": 4, "dimensions": 2, "sizes": [4, 4], "ties": "avoid_wrap",
            "nodes": 16,
        },
        "network": {"bandwidth_bytes_per_s": 2e9, "latency_s": 1e-7, "hop_latency_s": 0.0},
        "workload": {
            "kind": "messages", "pattern": "uniform", "per_node": 10, "outstanding": 1,
            "message_bytes": [1024, 2048], "include_self": False,
        },
        "options": {"model": "equal_share", "tables": []},
        "seed": 1,
    }  # fmt: skip


def test_lists_form_a_product(tree):
    found = specs(
        tree, TORUS + "sweep: {topology.k: [2, 3], engine.flow.model: [equal_share, max_min]}\n"
    )
    asked = [(spec["topology"]["k"], spec["options"]["model"]) for spec in found]
    assert asked == [(2, "equal_share"), (2, "max_min"), (3, "equal_share"), (3, "max_min")]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("{from: 2, to: 5}", [2, 3, 4, 5]),
        ("{from: 2, to: 9, step: 3}", [2, 5, 8]),
        ("{from: 2, to: 16, factor: 2}", [2, 4, 8, 16]),
    ],
)
def test_range(tree, values, expected):
    assert ks(specs(tree, f"{TORUS}sweep: {{topology.k: {values}}}\n")) == expected


def test_nested_keys_are_dotted_keys(tree):
    assert ks(specs(tree, TORUS + "sweep: {topology: {k: [2, 3]}}\n")) == [2, 3]


def test_zip_varies_keys_together(tree):
    found = specs(
        tree, TORUS + "sweep: {zip: [{topology.k: [4, 2], topology.dimensions: [1, 3]}]}\n"
    )
    assert [spec["topology"]["sizes"] for spec in found] == [[4], [2, 2, 2]]


def test_exclude_by_several_values_of_several_keys(tree):
    found = specs(
        tree,
        TORUS + "sweep:\n  topology.k: [2, 3, 4]\n  workload.per_node: [1, 2]\n"
        "  exclude: [{topology.k: [2, 3], workload.per_node: 1}]\n",
    )
    asked = [(spec["topology"]["k"], spec["workload"]["per_node"]) for spec in found]
    assert asked == [(2, 2), (3, 2), (4, 1), (4, 2)]


def test_exclude_by_an_option_leaves_other_engines_alone(tree):
    found = specs(
        tree,
        TORUS + "engines: [flow, packet]\nengine: {packet: {virtual_channels: 4}}\nsweep:\n"
        "  topology.k: [2, 4]\n"
        "  exclude: [{engine.packet.virtual_channels: 4, topology.k: 2}]\n",
    )
    asked = [(spec["engine"], spec["topology"]["k"]) for spec in found]
    assert asked == [("flow", 2), ("flow", 4), ("packet", 4)]


def test_exclude_by_a_key_that_is_not_swept(tree):
    found = specs(
        tree,
        "sweep:\n  topology: [crossbar, fat_tree]\n  workload.per_node: [1, 2]\n"
        "  exclude: [{topology.kind: fat_tree}]\n",
    )
    assert {spec["topology"]["kind"] for spec in found} == {"crossbar"}


def test_condition_on_a_swept_key(tree):
    found = specs(
        tree,
        TORUS + "sweep:\n  topology.ties: {when: topology.k == 4, values: [plus, random]}\n"
        "  topology.k: [3, 4]\n",
    )
    asked = [(spec["topology"]["k"], spec["topology"]["ties"]) for spec in found]
    assert asked == [(3, "avoid_wrap"), (4, "plus"), (4, "random")]


def test_condition_on_the_engine(tree):
    tree.experiment(
        "engines: [flow, hardware]\ndefaults: [override /workload: alltoall]\n"
        "sweep: {workload.ranks: {when: engine == flow, values: [3, 4]}}\n"
    )
    asked = [(p.engine, p.spec["workload"]["ranks"]) for p in expand(tree.load())]
    assert asked == [("flow", 3), ("flow", 4), ("hardware", 2)]


def test_condition_on_the_kind_of_a_swept_group(tree):
    found = specs(
        tree,
        "sweep:\n  topology: [torus, mesh]\n  topology.k: [4]\n"
        "  topology.ties: {when: topology.kind == torus, values: [plus, random]}\n",
    )
    asked = [(spec["topology"]["kind"], spec["topology"].get("ties")) for spec in found]
    assert asked == [("torus", "plus"), ("torus", "random"), ("mesh", None)]


def test_condition_with_in_and_and(tree):
    found = specs(
        tree,
        TORUS + "sweep:\n  topology.k: [2, 3, 4]\n  topology.ties:\n"
        "    when: topology.k in [3, 4] and topology.k != 3\n    values: [plus]\n",
    )
    assert [spec["topology"]["ties"] for spec in found] == ["avoid_wrap", "avoid_wrap", "plus"]


def test_replicates_count_seeds_up_from_the_base(tree):
    tree.experiment("seed: 7\nreplicates: 3\n")
    found = [(point.replicate, point.seed, point.spec["seed"]) for point in expand(tree.load())]
    assert found == [(0, 7, 7), (1, 8, 8), (2, 9, 9)]


def test_sweep_over_group_choices_composes_each(tree):
    found = specs(tree, "sweep: {topology: [torus, fat_tree], topology.k: [2, 4]}\n")
    asked = [(spec["topology"]["kind"], spec["topology"]["k"]) for spec in found]
    assert asked == [("torus", 2), ("torus", 4), ("fat_tree", 2), ("fat_tree", 4)]


def test_groups_can_be_zipped(tree):
    found = specs(
        tree,
        "sweep: {zip: [{topology: [torus, mesh], workload: [uniform, saturation]}], "
        "topology.k: [3]}\n",
    )
    asked = [(spec["topology"]["kind"], spec["workload"]["kind"]) for spec in found]
    assert asked == [("torus", "messages"), ("mesh", "traffic")]


MIXED = """sweep:
  zip:
    - topology: [fat_tree, torus, crossbar]
      topology.k: [4, null, null]
      topology.sizes: [null, [4, 4], null]
      topology.nodes: [null, null, 16]
"""


def test_null_leaves_a_key_out_of_a_zipped_row(tree):
    tree.experiment(MIXED)
    points = expand(tree.load())
    kinds = [point.spec["topology"]["kind"] for point in points]
    assert kinds == ["fat_tree", "torus", "crossbar"]
    assert {point.spec["topology"]["nodes"] for point in points} == {16}
    assert points[1].spec["topology"]["sizes"] == [4, 4]
    assert [point.coordinates.get("topology.k") for point in points] == [4, None, None]


def test_a_key_that_a_row_leaves_out_keeps_its_value(tree):
    zipped = "sweep: {zip: [{topology.k: [2, 4], topology.levels: [3, null]}]}\n"
    found = specs(tree, f"defaults: [override /topology: fat_tree]\n{zipped}")
    assert [spec["topology"]["levels"] for spec in found] == [3, 2]


def test_null_is_a_value_where_a_key_takes_it(tree):
    found = specs(
        tree,
        "engines: [rdma]\ndefaults: [override /workload: pingpong]\n"
        "network: {nic: {dma_bandwidth: 2 GB/s}}\n"
        "sweep: {zip: [{network.nic.dma_bandwidth: [null, 1 GB/s], network.latency: [1 us, 2 us]}]}"
        "\n",
    )
    rates = [spec["network"].get("nic", {}).get("dma_bytes_per_s") for spec in found]
    assert rates == [None, 1e9]


def test_engine_keys_multiply_only_that_engine(tree):
    tree.experiment(
        "engines: [flow, hardware]\ndefaults: [override /workload: pingpong]\n"
        "sweep: {engine.flow.model: [equal_share, max_min]}\n"
    )
    assert [point.engine for point in expand(tree.load())] == ["flow", "flow", "hardware"]


def test_hardware_is_asked_once_whatever_the_simulated_network(tree):
    tree.experiment(
        "engines: [flow, hardware]\ndefaults: [override /workload: pingpong]\n"
        "sweep: {topology.nodes: [2, 4, 8], network.latency: [1 us, 2 us]}\n"
    )
    points = expand(tree.load())
    (measured,) = [point for point in points if point.engine == "hardware"]
    assert len(points) == 7
    assert (measured.spec["topology"], measured.spec["network"]) == ({}, {})
    assert measured.coordinates == {}


def test_machine_is_no_part_of_a_point(tree):
    body = "engines: [hardware]\ndefaults: [override /workload: pingpong]\n"
    assert ids(tree, body) == ids(tree, body + "machine: {timeout: 10 min}\n")


def test_coordinates_are_columns_with_si_values(tree):
    tree.experiment("sweep: {network.latency: [1 us], engine.flow.model: [max_min]}\n")
    (point,) = expand(tree.load())
    assert point.coordinates == {"network.latency_s": 1e-6, "options.model": "max_min"}


def test_message_file_is_known_by_its_content(tree):
    body = "workload: {pattern: file, file: list.csv, message_size: null}\n"
    (tree.root / "list.csv").write_text("src,dst,bytes\n0,1,10\n")
    before = ids(tree, body)
    assert ids(tree, body) == before
    (tree.root / "list.csv").write_text("src,dst,bytes\n0,1,11\n")
    assert not ids(tree, body) & before


BODY = "topology: {nodes: 8}\nnetwork: {latency: 1 us}\nsweep: {workload.per_node: [1, 2]}\n"


@pytest.mark.parametrize(
    "same",
    [
        "sweep: {workload.per_node: [1, 2]}\nnetwork: {latency: 1 us}\ntopology: {nodes: 8}\n",
        "# a comment\n" + BODY,
        "paper: mfs\nfigures: [{line: {x: seed, y: makespan_s}}]\n" + BODY,
        BODY.replace("1 us", "1000 ns"),
        BODY.replace("[1, 2]", "[2, 1]"),
        BODY + "report: {interval: 0.9}\nmachine: {ranks: 2}\nengine: {flow: {shard_points: 3}}\n",
    ],
    ids=["key order", "comment", "figures", "unit", "value order", "machine and report"],
)
def test_what_does_not_matter_keeps_point_ids(tree, same):
    assert ids(tree, same) == ids(tree, BODY)


def test_title_keeps_point_ids(tree):
    before = ids(tree, BODY)
    file = tree.configs / "experiment/x.yaml"
    file.write_text(file.read_text().replace("A title", "Another"))
    assert {point.point_id for point in expand(tree.load())} == before


def test_what_matters_changes_point_ids(tree):
    before = ids(tree, BODY)
    assert not ids(tree, BODY.replace("1 us", "2 us")) & before
    assert not ids(tree, BODY + "seed: 2\n") & before


@pytest.mark.slow
def test_the_time_of_ten_thousand_points_is_about_ten_times_that_of_a_thousand(tree):
    """A step for each pair of points would take a hundred times as long."""

    def expanded(replicates):
        tree.experiment(
            TORUS + "sweep:\n  topology.k: {from: 2, to: 51}\n"
            f"  workload.per_node: {{from: 1, to: 20}}\nreplicates: {replicates}\n"
        )
        experiment = tree.load()
        start = time.process_time()
        points = expand(experiment)
        return points, time.process_time() - start

    _, few_cpu_s = expanded(1)
    points, cpu_s = expanded(10)
    assert cpu_s < 40 * few_cpu_s
    assert len({point.point_id for point in points}) == 10_000
    assert all(short_digest(point.spec) == point.point_id for point in points[::500])
    assert canonical_json(points[0].spec).startswith('{"engine":"flow","network"')

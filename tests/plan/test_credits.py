"""What plans say of buffers that hold back their links, and of options that are set by hand."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from weft.engines import engine
from weft.engines.execute import run_shard
from weft.files.layout import ExperimentFolder
from weft.machine import MachineFile
from weft.plan import build_plan, expand
from weft.plan.build import credits_of_engine, flit_notes

LISTS = "engines: [packet]\ntopology: {nodes: 8}\nworkload: {message_size: 64 B, per_node: 1}\n"
HDR = "defaults: [override /network: infiniband_hdr]\n"
HOP = "network: {bandwidth: 25 GB/s, hop_latency: 140 ns}\n"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", []),
        (HDR, []),
        # 140 ns are 219 cycles of 0.64 ns: 2 + 2 x 219 + 1.
        (HOP, ["packet: vc_buffer_flits is 441, the flits of the longest credit loop"]),
        (
            HOP + "engine: {packet: {vc_buffer_flits: 8}}\n",
            [
                "packet: buffers of 8 flits let a virtual channel use at most 0.018 of its link, "
                "because a credit takes 441 cycles"
            ],
        ),
        (
            HDR + "engine: {packet: {vc_buffer_flits: 2048}}\n",
            [
                "packet: the experiment sets vc_buffer_flits in place of what the network's "
                "sections give"
            ],
        ),
    ],
    ids=["plain", "sections", "latency", "held back", "by hand"],
)
def test_a_plan_says_what_buffers_allow_and_what_counts_by_hand(tree, body, said):
    tree.experiment(body + LISTS)
    experiment = tree.load()
    points = expand(experiment)
    assert [*flit_notes(experiment, points)] == said
    facts = build_plan(experiment, points, {"packet": "1"}).report.engines["packet"]
    limits = [text for text, when in facts.leaves_out if "of its link" in text]
    assert limits == [each.removeprefix("packet: ") for each in said if "of its link" in each]


#: Each is the default of its option.
DEFAULTS = (
    "virtual_channels: 2", "vc_buffer_flits: null", "packet_flits: 16", "flit_size: 16 B",
    "torus_classes: dateline", "routing_delay_cycles: 1", "injection_latency_cycles: 1",
)  # fmt: skip


@pytest.mark.parametrize("network", ["", HDR, HOP], ids=["plain", "sections", "latency"])
def test_an_option_that_is_given_its_default_is_as_good_as_left_out(tree, network):
    def planned(options):
        tree.experiment(f"{network}engine: {{packet: {{{options}}}}}\n{LISTS}")
        experiment = tree.load()
        points = expand(experiment)
        ids = [(each.point_id, each.spec) for each in points]
        return ids, [*flit_notes(experiment, points)]

    without = planned("")
    for given in DEFAULTS:
        assert planned(given) == without, given
    assert planned("virtual_channels: 4") != without


#: Networks and options of which buffers follow from each part of the arithmetic.
ROUTER = "router: {routing_time: 10 ns, switch_latency: 60 ns, vc_buffer: 1 KiB}"
PACKET = "packet: {mtu: 1 KiB, header: 32 B, flit: 32 B}"
BUFFERS = {
    "plain": ("", ""),
    "sections": (HDR, ""),
    "latency": (HOP, ""),
    "latency by hand": (HOP, "channel_latency_cycles: 7"),
    "by hand": (HDR, "vc_buffer_flits: 300"),
    "cables": (f"network: {{{PACKET}, cables: {{latency: 40 ns}}}}\n", ""),
    "injection": (
        f"network: {{{PACKET}, cables: {{latency: 4 ns, injection_latency: 90 ns}}}}\n",
        "credit_delay_cycles: 3",
    ),
    "router": (f"network: {{{PACKET}, {ROUTER}}}\n", ""),
    "traversal": ("", "switch_traversal_delay_cycles: 9"),
    "flits": (HOP, "flit_size: 64 B"),
    "packets": ("", "switching: virtual_cut_through, packet_flits: 50"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BUFFERS)
def test_a_plan_knows_the_buffers_that_the_simulator_builds(tree, tmp_path: Path, kind: str):
    network, options = BUFFERS[kind]
    tree.experiment(f"{network}engine: {{packet: {{tables: [buffers], {options}}}}}\n{LISTS}")
    experiment = tree.load()
    points = expand(experiment)
    [found] = credits_of_engine(experiment.declared["packet"], points)
    mine = ExperimentFolder(tmp_path / "results" / "e")
    order = {
        "schema": 1, "engine": "packet", "shard": "b" * 12, "attempts": {}, "machine": {},
        "engine_version": engine("packet").version(MachineFile(), None),
        "points": [{"point_id": "0" * 12, **points[0].spec}],
    }  # fmt: skip
    file, left = mine.order("b" * 12), mine.shard("packet", "b" * 12)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(order))
    run_shard(file, None, None, left.path, 1, left.log)
    [run] = pq.read_table(left.path / "runs.parquet").to_pylist()
    assert run["error"] is None
    built = pq.read_table(left.path / "buffers.parquet").column("capacity_flits").to_pylist()
    assert set(built) == {found.buffer_flits}

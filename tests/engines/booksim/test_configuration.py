"""The configuration that is written for a point."""

import pytest
from weft.engines.booksim.configuration import configuration_text

from tests.engines.booksim.points import (
    BATCH,
    FLY,
    MESH,
    NETWORK,
    TORUS,
    TRAFFIC,
    TREE,
    configuration,
)


def test_a_fraction_keeps_its_point_and_a_whole_number_has_none():
    text = configuration_text({"k": 8, "injection_rate": 1.0, "seed": 3, "topology": "mesh"})
    assert text == "k = 8;\ninjection_rate = 1.0;\nseed = 3;\ntopology = mesh;\n"


TOPOLOGIES = [
    (MESH, {"topology": "mesh", "k": 4, "n": 2, "routing_function": "dor"}),
    (TORUS, {"topology": "torus", "k": 4, "n": 2, "routing_function": "dim_order"}),
    (TREE, {"topology": "fattree", "k": 4, "n": 2, "routing_function": "nca"}),
    ({**TREE, "routing": "anca"}, {"topology": "fattree", "routing_function": "anca"}),
    (FLY, {"topology": "fly", "k": 4, "n": 2, "routing_function": "dest_tag"}),
    ({"kind": "crossbar", "nodes": 9}, {"topology": "fly", "k": 9, "n": 1}),
    ({"kind": "hypercube", "dimensions": 5, "nodes": 32}, {"topology": "mesh", "k": 2, "n": 5}),
    (
        {"kind": "flattened_butterfly", "k": 4, "dimensions": 2, "concentration": 4,
         "routing": "minimal", "nodes": 64},
        {"topology": "flatfly", "k": 4, "n": 2, "c": 4, "x": 4, "y": 4, "xr": 2, "yr": 2,
         "routing_function": "ran_min"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("topology", "expected"), TOPOLOGIES)
def test_each_topology_has_its_keys(topology, expected):
    assert configuration(topology).items() >= expected.items()


OPTIONS = [
    ({"virtual_channels": 4}, {"num_vcs": 4}),
    ({"virtual_channels": "per_destination"}, {"num_vcs": 16, "routing_function": "dim_order_ni"}),
    ({"torus_classes": "balanced"}, {"routing_function": "dim_order_bal"}),
    ({"vc_buffer_flits": 5}, {"vc_buf_size": 5}),
    ({"routing_delay_cycles": 0}, {"routing_delay": 0}),
    ({"switch_traversal_delay_cycles": 2}, {"st_prepare_delay": 0, "st_final_delay": 2}),
    ({"credit_delay_cycles": 3}, {"credit_delay": 3}),
    ({"speculative": True}, {"speculative": 1}),
    ({"wait_for_tail_credit": True}, {"wait_for_tail_credit": 1}),
    ({"hold_switch_for_packet": True}, {"hold_switch_for_packet": 1}),
    ({"vc_allocator": "maximum"}, {"vc_allocator": "max_size", "sw_allocator": "islip"}),
    ({"switch_allocator": "wavefront"}, {"vc_allocator": "islip", "sw_allocator": "wavefront"}),
    ({"allocator_iterations": 2}, {"alloc_iters": 2}),
    ({"channel_latency_cycles": 2}, {"use_noc_latency": 1}),
    ({"channel_latency_cycles": 1}, {"use_noc_latency": 0}),
    ({"drain_cycles": 500}, {"latency_thres": 500.0}),
    ({"flit_bytes": None, "packet_flits": 40}, {"packet_size": 40}),
    ({"flit_bytes": 100.0, "packet_flits": 40}, {"packet_size": 3}),
    (
        {"arbiter": "age", "vc_allocator": "separable_input_first",
         "switch_allocator": "separable_input_first"},
        {"priority": "age", "arb_type": "round_robin"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
def test_each_option_has_its_keys(options, expected):
    assert configuration(TORUS, **options).items() >= expected.items()


PATTERNS = [
    ("tornado", "tornado"),
    ("tornado_ceil", "tornado"),
    ("bit_complement", "bitcomp"),
    ("bit_reverse", "bitrev"),
    ("random_permutation", "randperm"),
]


@pytest.mark.parametrize(("pattern", "expected"), PATTERNS)
def test_patterns_have_other_names(pattern, expected):
    found = configuration(MESH, {**TRAFFIC, "pattern": pattern, "include_self": False})
    assert found["traffic"] == expected


def test_hotspots_draw_equal_shares():
    hot = {"pattern": "hotspot", "hotspot_nodes": [1, 5], "hotspot_fraction": 1.0}
    assert configuration(MESH, {**TRAFFIC, **hot})["traffic"] == "hotspot({1,5},{1,1})"


def test_a_rate_is_in_flits_and_saturation_is_a_packet_for_each_cycle():
    below = configuration()
    assert (below["injection_rate"], below["injection_rate_uses_flits"]) == (0.2, 1)
    assert below["sim_type"] == "latency"
    above = configuration(MESH, {**TRAFFIC, "injection_rate": 1.0})
    assert above["injection_rate"] == 1.0
    assert "injection_rate_uses_flits" not in above
    assert above["sim_type"] == "throughput"


def test_bursts_end_so_that_they_hold_the_messages_asked_for():
    bursts = {"injection_process": "on_off", "burst_messages": 4.0, "burst_rate": 0.8}
    found = configuration(MESH, {**TRAFFIC, **bursts}, packet_flits=16)
    # 0.8 flits are 0.05 packets per cycle: 4 of them take 80 cycles.
    assert found["burst_r1"] == pytest.approx(0.05)
    assert found["burst_beta"] == pytest.approx(1 / 80)
    assert found["injection_process"] == "on_off"


@pytest.mark.parametrize(("outstanding", "expected"), [("all", 0), (1, 1), (3, 3)])
def test_a_closed_list_is_a_batch(outstanding, expected):
    found = configuration(TREE, {**BATCH, "outstanding": outstanding}, packet_flits=8)
    batch = {"sim_type": "batch", "batch_size": 10, "max_outstanding_requests": expected}
    assert found.items() >= batch.items()
    assert "sample_period" not in found


WINDOWS = [
    # Exact where there is a common period, else the warm-up is rounded up.
    (3000, 7000, (1000, 3, 10, 0.0)),
    (5000, 15000, (5000, 1, 4, -1.0)),
    (1234, 10000, (3334, 1, 4, -1.0)),
    # Found out by BookSim2; then three periods are measured.
    (None, 9000, (3000, 0, 33, -1.0)),
]


@pytest.mark.parametrize(("warmup", "measure", "expected"), WINDOWS)
def test_the_window_is_made_of_equal_periods(warmup, measure, expected):
    found = configuration(warmup_cycles=warmup, measure_cycles=measure)
    names = ("sample_period", "warmup_periods", "max_samples", "acc_stopping_thres")
    assert tuple(found[name] for name in names) == expected


def test_a_hop_latency_is_rounded_up_to_cycles():
    # A flit of 16 bytes takes 128 ns.
    network = {**NETWORK, "hop_latency_s": 200e-9}
    assert configuration(TORUS, network=network)["use_noc_latency"] == 1
    whole = {**NETWORK, "hop_latency_s": 128e-9}
    assert configuration(MESH, network=whole)["use_noc_latency"] == 0


def test_large_seeds_fit_the_generator():
    assert configuration(seed=2**40)["seed"] < 2**30

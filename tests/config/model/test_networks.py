"""Sections of a network: parts of a machine, for engines that model them."""

import pytest
from weft.config.language.errors import ConfigErrors
from weft.plan import expand

ENGINE = """
description: An engine with network sections.
program: command
answers: [messages]
network_sections: true
refuses:
  - when: network.router.vc_buffer_bytes < network.packet.mtu_bytes
    because: a buffer must hold a packet
"""
BOTH = "engines: [own, simgrid]\nworkload: {message_size: 8 B}\n"


@pytest.fixture(autouse=True)
def engine(tree):
    tree.write("engine/own.yaml", ENGINE)


def networks(tree, body):
    tree.experiment(BOTH + body)
    points = expand(tree.load())
    return {p.engine: p.spec["network"] for p in points}, points


def test_sections_come_in_units_of_the_spec(tree):
    found, _ = networks(tree, "defaults: [override /network: opennsim_table3]\n")
    assert found["own"]["router"] == {
        "routing_s": 4e-9,
        "vc_allocation_s": 4e-9,
        "switch_allocation_s": 4e-9,
        "switch_traversal_s": 0.0,
        "switch_s": 78e-9,
        "virtual_channels": 2,
        "vc_buffer_bytes": 8192,
        "crossbar_inputs": "per_port",
        "torus_classes": "dateline",
        "arbitration": "round_robin",
    }
    assert found["own"]["cables"] == {"cable_s": 10e-9, "injection_s": 0.0}
    assert found["own"]["packet"]["mtu_bytes"] == 2048
    assert found["own"]["nic"]["dma_bytes_per_s"] == 16e9


def test_cables_to_a_router_are_as_long_as_the_others_unless_given(tree):
    found, _ = networks(tree, "network: {cables: {latency: 3 ns}}\n")
    assert found["own"]["cables"] == {"cable_s": 3e-9, "injection_s": 3e-9}


def test_engines_without_sections_know_links_alone(tree):
    found, _ = networks(tree, "defaults: [override /network: opennsim_table3]\n")
    assert set(found["simgrid"]) == {"bandwidth_bytes_per_s", "latency_s", "hop_latency_s"}


def test_a_fitted_latency_is_not_given_to_engines_that_would_ignore_it(tree):
    tree.experiment(
        BOTH
        + "network: {calibrated_from: pingpong, bandwidth: null, latency: null,"
        + " router: {vc_buffer: 8 KiB}}\n"
    )
    with pytest.raises(ConfigErrors, match="fits a latency, which has no effect beside router"):
        tree.load()


def test_a_swept_part_multiplies_only_the_points_that_have_it(tree):
    sweep = "sweep: {network.software.node_latency: [0 s, 1 us]}\n"
    _, points = networks(tree, "defaults: [override /network: infiniband_qdr]\n" + sweep)
    own = [p for p in points if p.engine == "own"]
    assert [p.spec["network"]["software"]["put_s"] for p in own] == [0.0, 1e-6]
    assert [p.coordinates for p in own] == [
        {"network.software.put_s": 0.0},
        {"network.software.put_s": 1e-6},
    ]
    assert [p.coordinates for p in points if p.engine == "simgrid"] == [{}]


def test_sections_of_experiment_and_group_are_merged_key_by_key(tree):
    body = "defaults: [override /network: infiniband_qdr]\nnetwork: {router: {vc_buffer: 4 KiB}}\n"
    found, _ = networks(tree, body)
    assert found["own"]["router"]["vc_buffer_bytes"] == 4096
    assert found["own"]["router"]["switch_s"] == 128e-9


def test_an_override_reaches_into_a_section(tree):
    tree.experiment(BOTH)
    points = expand(tree.load(["network.software.node_latency=2 us"]))
    assert points[0].spec["network"]["software"]["put_s"] == 2e-6


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("router: {vc_bufer: 8 KiB}", "router.vc_bufer", "did you mean 'vc_buffer'?"),
        ("packet: {mtu: 2}", "packet.mtu", "expected an amount of data with its unit"),
        ("packet: {mtu: 32 B, header: 32 B}", "packet.header", "must be below the MTU of 32 B"),
        ("packet: {mtu: 40 B}", "packet.flit", "not a whole number of flits of 16 B"),
        ("packet: {control: 3 KiB}", "packet.control", "larger than the MTU"),
        ("nic: {dma_unit: flits}", "nic.dma_unit", "did you mean 'flit'?"),
        ("router: {virtual_channels: 0}", "router.virtual_channels", "greater than or equal to 1"),
        ("software: 1 us", "software", "expected a section of keys with values"),
        (
            "packet: {mtu: 2 KiB}\n  router: {vc_buffer: 1 KiB}",
            "packet.mtu",
            "own: a buffer must hold a packet",
        ),
    ],
)
def test_a_mistake_in_a_section_names_its_key(tree, written, key, message):
    tree.refuses(f"{BOTH}network:\n  {written}\n", f"network.{key}", message)


def test_a_misspelt_part_in_a_sweep_is_reported_with_the_nearest(tree):
    tree.refuses(
        BOTH + "sweep: {network.software.node_latencies: [0 s]}\n",
        None,
        "did you mean 'network.software.node_latency'?",
    )


def test_a_figure_may_show_a_swept_part(tree):
    body = "figures: [{line: {x: network.software.node_latency, y: makespan_s}}]\n"
    tree.experiment(BOTH + body)
    assert tree.load().settings.figures


@pytest.mark.parametrize(
    ("written", "key", "message"),
    [
        ("bandwidth: 100 TB/s", "bandwidth", "1e+14 B/s; must be at most 1.6e+12 B/s"),
        ("bandwidth: 1 TB/s\n  packet: {flit: 8 B}", "bandwidth", "a flit of 8 B takes 10 ps"),
        ("bandwidth: 2 kB/s", "bandwidth", "must be at least 2048 B/s"),
        ("nic: {dma_bandwidth: 1 kB/s}", "nic.dma_bandwidth", "must be at least 2048 B/s"),
        ("software: {node_latency: 48 min}", "software.node_latency", "must be at most 1 s"),
        ("latency: 2 s", "latency", "2 s; must be at most 1 s"),
        ("packet: {mtu: 1 MiB}", "packet.mtu", "at most 65535 flits of 16 B"),
        ("router: {vc_buffer: 1 TiB}", "router.vc_buffer", "at most 4294967295 flits of 16 B"),
    ],
)
def test_times_that_picoseconds_cannot_hold_are_refused(tree, written, key, message):
    tree.refuses(f"{BOTH}network:\n  {written}\n", f"network.{key}", message)


def test_a_flit_of_just_10_ps_is_allowed(tree):
    found, _ = networks(tree, "network: {bandwidth: 1.6 TB/s}\n")
    assert found["own"]["bandwidth_bytes_per_s"] == 1.6e12


def test_engines_without_sections_may_have_any_bandwidth(tree):
    tree.experiment("engines: [flow]\nnetwork: {bandwidth: 100 TB/s, latency: 2 s}\n")
    assert tree.load()


OF_PROGRAMS = """
description: An engine whose programs know the machine.
program: command
answers: [messages, program]
network_sections: program
options:
  window: {type: integer, default: 4, description: Messages under way.}
  eager_limit: {type: size, default: 1 KiB, of: program, description: Sent at once.}
"""
TWO_KINDS = """
engines: [own]
defaults: [override /network: opennsim_table3]
sweep:
  workload: [own_list, pingpong]
  engine.own.eager_limit: [1 KiB, 2 KiB]
  network.software.node_latency: [0 s, 1 us]
"""


def test_points_of_programs_alone_carry_what_is_theirs(tree):
    tree.write("engine/own.yaml", OF_PROGRAMS)
    tree.write("workload/own_list.yaml", "kind: messages\npattern: all_to_all\nmessage_size: 8 B\n")
    tree.experiment(TWO_KINDS)
    points = expand(tree.load())
    lists = [p for p in points if p.spec["workload"]["kind"] == "messages"]
    programs = [p for p in points if p.spec["workload"]["kind"] == "program"]
    # Neither key multiplies the points that lack it.
    assert [p.spec["options"] for p in lists] == [{"window": 4}]
    assert "software" not in lists[0].spec["network"]
    assert lists[0].coordinates == {"workload": "own_list"}
    found = [
        (p.spec["options"]["eager_limit_bytes"], p.spec["network"]["software"]["put_s"])
        for p in programs
    ]
    assert sorted(found) == [(1024, 0.0), (1024, 1e-6), (2048, 0.0), (2048, 1e-6)]
    assert all(len(p.coordinates) == 3 for p in programs)


def test_an_option_of_one_kind_of_workload_needs_a_default(tree):
    required = "  eager_limit: {type: size, of: program, description: Sent at once.}\n"
    tree.write("engine/own.yaml", OF_PROGRAMS.rpartition("  eager_limit")[0] + required)
    tree.experiment("engines: [own]\n")
    with pytest.raises(ConfigErrors, match="an option of one kind of workload"):
        tree.load()

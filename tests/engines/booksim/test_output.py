"""Reading a text in BookSim2's format (the numbers are invented), and the metrics of it."""

import pytest
from weft.engines.booksim.metrics import metrics, percentile
from weft.engines.booksim.output import read_output
from weft.engines.booksim.simulation import simulations

from tests.engines.booksim import golden
from tests.engines.booksim.points import BATCH, MESH, TRAFFIC, TREE, point


def answer(text, asked=None):
    simulation = next(simulations(asked or point(warmup_cycles=1000, measure_cycles=3000)))
    rows = list(metrics(simulation, read_output(text)))
    return {row["metric"]: row for row in rows}


def test_every_number_becomes_a_metric_with_its_unit():
    found = answer(golden.steady())
    values = {name: row["value"] for name, row in found.items()}
    assert values == {
        "offered_rate": 0.2,
        "saturated": 0.0,
        "warmup_cycles": 1000.0,
        "measured_cycles": 3000.0,
        "injected_rate": 0.2,
        "accepted_rate": 0.198,
        "accepted_rate_min": 0.15,
        "accepted_rate_max": 0.31,
        "packet_latency_mean_cycles": 11.0,
        "packet_latency_min_cycles": 10.0,
        "packet_latency_max_cycles": 12.0,
        "packet_latency_p50_cycles": 11.0,
        "packet_latency_p95_cycles": 12.0,
        "packet_latency_p99_cycles": 12.0,
        "network_latency_mean_cycles": 10.5,
        "network_latency_min_cycles": 9.0,
        "network_latency_max_cycles": 12.0,
        "network_latency_p50_cycles": 11.0,
        "network_latency_p95_cycles": 12.0,
        "network_latency_p99_cycles": 12.0,
        "flit_latency_mean_cycles": 10.25,
        "flit_latency_min_cycles": 9.0,
        "flit_latency_max_cycles": 11.0,
        "hops_mean": 2.5,
        "fragmentation_mean_cycles": 0.5,
        "packets_measured": 40.0,
        "simulated_cycles": 4100.0,
        "cycle_s": 128e-9,
    }
    assert {row["message_bytes"] for row in found.values()} == {256}
    assert found["packet_latency_mean_cycles"]["unit"] == "cycle"
    assert found["accepted_rate"]["unit"] == "1"


def test_a_batch_has_a_completion_time_in_cycles_and_seconds():
    found = answer(golden.batch(), point(TREE, BATCH, packet_flits=40, flit_bytes=None))
    assert found["makespan_cycles"]["value"] == 1108
    # 125 bytes in 40 flits at 125 MB/s: 25 ns for each.
    assert found["makespan_s"]["value"] == pytest.approx(27.7e-6)
    assert "saturated" not in found
    assert "packet_latency_mean_cycles" in found


def test_saturated_traffic_has_no_packet_latency():
    asked = point(MESH, {**TRAFFIC, "injection_rate": 1.0}, warmup_cycles=1000, measure_cycles=3000)
    found = answer(golden.steady(), asked)
    assert found["saturated"]["value"] == 1
    assert not [name for name in found if name.startswith("packet_latency")]
    assert "network_latency_mean_cycles" in found


def test_packets_that_arrive_too_late_mean_saturation():
    asked = point(warmup_cycles=1000, measure_cycles=3000, drain_cycles=500)
    assert answer(golden.steady(cycles=4400), asked)["saturated"]["value"] == 0
    assert answer(golden.steady(cycles=4600), asked)["saturated"]["value"] == 1


def test_quantities_without_packets_are_left_out():
    text = golden.steady().replace("Fragmentation average = 0.5", "Fragmentation average = -nan")
    found = answer(text)
    assert "fragmentation_mean_cycles" not in found
    assert "hops_mean" in found


def test_an_aborted_run_is_distinguished_from_a_complete_and_a_broken_one():
    assert read_output(golden.ABORTED).aborted
    assert not read_output(golden.ABORTED).complete
    assert read_output(golden.steady()).complete
    half = read_output(golden.steady()[:900])
    assert not half.ended


def test_percentiles_lie_between_order_statistics():
    assert percentile([0, 2, 0, 2, 0], 0.5) == 2
    assert percentile([0, 4, 0], 0.99) == 1
    assert percentile([], 0.5) is None


def test_a_percentile_in_the_last_bin_is_unknown():
    assert percentile([9, 0, 1], 0.5) == 0
    assert percentile([9, 0, 1], 0.99) is None

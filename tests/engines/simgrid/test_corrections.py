"""What SimGrid adds to max-min fairness, one at a time, by numbers for a pencil."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engines.simgrid.points import answer, finish_s, needs_simgrid, point, sent

pytestmark = [pytest.mark.slow, pytest.mark.long("simgrid")]
RATE = 1e9
LINE = {"kind": "mesh", "sizes": [6], "nodes": 6}
NETWORK = {"bandwidth_bytes_per_s": RATE, "latency_s": 1e-6, "hop_latency_s": 0.0}
BYTES = 100_000


@pytest.fixture(autouse=True)
def _simgrid() -> None:
    needs_simgrid()


def alone_s(folder: Path, network: dict[str, float] = NETWORK, **more: Any) -> float:
    """The time of one message from node 0 to node 1."""
    return answer(folder, point(LINE, sent(folder, (0, 1, BYTES, 0)), network, **more))[
        "makespan_s"
    ]


def test_without_any_a_message_alone_takes_latency_and_bytes(tmp_path: Path) -> None:
    assert alone_s(tmp_path) == pytest.approx(1e-6 + BYTES / RATE, rel=1e-12)


def test_the_bandwidth_factor_divides_the_rate(tmp_path: Path) -> None:
    assert alone_s(tmp_path, bandwidth_factor=0.5) == pytest.approx(1e-6 + 2 * BYTES / RATE)


@pytest.mark.parametrize("rtt_fairness", [False, True])
def test_the_latency_factor_multiplies_the_latency(tmp_path: Path, rtt_fairness: bool) -> None:
    found = alone_s(tmp_path, latency_factor=13.0, rtt_fairness=rtt_fairness)
    assert found == pytest.approx(13e-6 + BYTES / RATE)


def test_a_window_bounds_the_rate_by_the_round_trip(tmp_path: Path) -> None:
    """To half the window in one latency: 400 B in 2 us are 0.2 GB/s."""
    found = alone_s(tmp_path, rtt_fairness=True, tcp_gamma_bytes=400)
    assert found == pytest.approx(1e-6 + BYTES / (400 / 2e-6))


def two_ends_s(folder: Path, **more: Any) -> tuple[float, float]:
    """When messages from nodes 1 and 5 to node 0 end, one hop and five away."""
    network = {**NETWORK, "latency_s": 0.0, "hop_latency_s": 1e-6}
    listed = sent(folder, (1, 0, BYTES, 0), (5, 0, BYTES, 0))
    answer(folder, point(LINE, listed, network, tables=["messages"], **more))
    near, far = sorted(end_s for _, end_s in finish_s(folder).values())
    return near, far


def test_without_rtt_fairness_flows_count_alike(tmp_path: Path) -> None:
    """The near one has the link alone for 4 us: 96,000 bytes are left, at half the rate."""
    near_s, far_s = two_ends_s(tmp_path)
    assert near_s == pytest.approx(5e-6 + 2 * 96_000 / RATE)
    assert far_s == pytest.approx(5e-6 + (96_000 + BYTES) / RATE)


def test_with_rtt_fairness_the_near_flow_gets_five_times_the_far_ones(tmp_path: Path) -> None:
    near_s, far_s = two_ends_s(tmp_path, rtt_fairness=True)
    assert near_s == pytest.approx(5e-6 + 96_000 / (RATE * 5 / 6))
    assert far_s == pytest.approx(5e-6 + (96_000 + BYTES) / RATE)


def test_weight_makes_the_flow_over_more_links_count_less(tmp_path: Path) -> None:
    """1 us per hop and 1,000 B per link: 1 + 3 against 5 + 7 us, so one to three."""
    near_s, _ = two_ends_s(tmp_path, rtt_fairness=True, weight_bytes=1000)
    assert near_s == pytest.approx(5e-6 + 96_000 / (RATE * 3 / 4))


def test_crosstraffic_takes_a_twentieth_on_the_way_back(tmp_path: Path) -> None:
    """Two messages past each other: each link carries one rate and a twentieth of the other."""
    listed = sent(tmp_path, (0, 1, BYTES, 0), (1, 0, BYTES, 0))
    found = answer(tmp_path, point(LINE, listed, NETWORK, crosstraffic=True))
    assert found["makespan_s"] == pytest.approx(1e-6 + 1.05 * BYTES / RATE)


def test_a_coarse_step_of_time_ends_messages_together(tmp_path: Path) -> None:
    """Two messages on links of their own, 5 bytes and so 5 ns apart."""
    listed = sent(tmp_path, (0, 1, BYTES, 0), (2, 3, BYTES + 5, 0))

    def apart_s(name: str, **more: Any) -> float:
        asked = point(LINE, listed, NETWORK, tables=["messages"], update="lazy", **more)
        answer(tmp_path / name, asked)
        first, last = sorted(end_s for _, end_s in finish_s(tmp_path / name).values())
        return last - first

    assert apart_s("fine") == pytest.approx(5e-9, rel=1e-6)
    assert apart_s("coarse", timing_precision_s=1e-8, work_precision=1e-5) == 0

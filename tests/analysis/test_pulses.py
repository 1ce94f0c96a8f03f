"""Pulses of link throughput in the ideal all-to-all, and in series that are not ideal."""

import csv
from pathlib import Path

import numpy as np
import pytest
from weft.analysis.pulses import find_pulses, pulses_of_rows

IDEAL = Path(__file__).parents[1] / "data" / "opennsim" / "step_throughput.csv"
#: Time of one message on a link: 64 KiB at 4 GB/s.
MESSAGE_S = 65536 / 4e9
STEPS = {"x": 128, "y": 8, "z": 1}


def ideal():
    """Start, end and throughput by direction of every step."""
    with IDEAL.open() as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    start = np.array([row["t_start_rel"] for row in rows]) * MESSAGE_S
    end = start + np.array([row["max_link_load"] for row in rows]) * MESSAGE_S
    return start, end, {d: np.array([row[f"GBps_{d.upper()}"] for row in rows]) for d in DIRECTIONS}


DIRECTIONS = ["x+", "x-", "y+", "y-", "z+", "z-"]


def test_the_ideal_all_to_all_pulses_as_often_as_the_paper_says():
    start, end, by_direction = ideal()
    rows = [
        (s, e, direction, value)
        for direction, values in by_direction.items()
        for s, e, value in zip(start, end, values, strict=True)
    ]
    found = pulses_of_rows(rows)
    assert {axis: len(pulses) for axis, pulses in found.items()} == STEPS
    # A pulse of x is one step of 8 message times, one of y 16 such steps, give or take a step.
    for axis, length in {"x": 8, "y": 16 * 8}.items():
        found_lengths = [(pulse.end_s - pulse.start_s) / MESSAGE_S for pulse in found[axis]]
        assert found_lengths == pytest.approx([length] * STEPS[axis], rel=0.13)
    [pulse] = found["z"]
    leading = np.flatnonzero(by_direction["z-"] < by_direction["z+"])
    exact = (start[leading[0]], end[leading[-1]])
    assert (pulse.start_s, pulse.end_s) == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("interval_s", [2e-6, 10e-6, 40e-6])
def test_sampling_pauses_between_steps_and_noise_leave_the_count(axis, interval_s):
    """As in a simulation: 5 us without traffic between steps, equal intervals, and ranks ahead."""
    start, end, by_direction = ideal()
    pauses = 5e-6 * np.arange(start.size)
    begin, stop = start + pauses, end + pauses
    lead = by_direction[f"{axis}+"] - by_direction[f"{axis}-"]
    edges = np.arange(0, stop[-1], interval_s)
    # The integral of the lead up to each edge, so that every interval has its mean.
    carried = np.concatenate(([0.0], np.cumsum(lead * (stop - begin))))
    times = np.column_stack((begin, stop)).ravel()
    integral = np.interp(edges, times, np.column_stack((carried[:-1], carried[1:])).ravel())
    sampled = np.diff(integral) / interval_s
    sampled += np.random.default_rng(1).normal(0, 0.2, sampled.size)
    assert len(find_pulses(edges[:-1], edges[1:], sampled)) == STEPS[axis]


def test_the_height_of_one_direction_alone_does_not_tell():
    """Why the difference of both is taken: x+ alone nearly reaches its peak at other distances."""
    start, end, by_direction = ideal()
    assert len(find_pulses(start, end, by_direction["x+"])) != STEPS["x"]


def test_series_without_a_lead_have_no_pulses():
    assert find_pulses([], [], []) == []
    assert find_pulses([0, 1], [1, 2], [0, 0]) == []
    assert find_pulses([0, 1], [1, 2], [-1, -2]) == []


def test_a_pulse_at_the_border_counts():
    pulses = find_pulses([0, 1, 2, 3], [1, 2, 3, 4], [4, 0, 0, 4])
    assert [(p.start_s, p.end_s) for p in pulses] == [(0, 1), (3, 4)]


def test_series_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 starts, 1 ends and 2 leads"):
        find_pulses([0, 1], [1], [1, 2])


def test_links_without_an_opposite_direction_have_no_entry():
    assert pulses_of_rows([(0, 1, "up", 1.0), (0, 1, "x+", 1.0)]) == {}

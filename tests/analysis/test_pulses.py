"""Pulses of link throughput in the ideal all-to-all, and in series that are not ideal."""

import csv
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from weft.analysis.pulses import find_pulses, pulses_of_rows

IDEAL = Path(__file__).parents[1] / "data" / "opennsim" / "step_throughput.csv"
#: Time of one message on a link: 64 KiB at 4 GB/s.
MESSAGE_S = 65536 / 4e9
STEPS = {"x": 128, "y": 8, "z": 1}
#: Of the recorded runs: an interval, and the end of the last one.
INTERVAL_S = 20e-6
RUN_S = {"with_barriers": 0.300039383, "without_barriers": 0.224717708}


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
    edges = np.arange(0, stop[-1], interval_s)
    noise = np.random.default_rng(1)
    sampled = []
    for direction in (f"{axis}+", f"{axis}-"):
        # The integral up to each edge, so that every interval has its mean.
        carried = np.concatenate(([0.0], np.cumsum(by_direction[direction] * (stop - begin))))
        times = np.column_stack((begin, stop)).ravel()
        integral = np.interp(edges, times, np.column_stack((carried[:-1], carried[1:])).ravel())
        values = np.diff(integral) / interval_s
        sampled.append(np.clip(values + noise.normal(0, 0.15, values.size), 0, None))
    assert len(find_pulses(edges[:-1], edges[1:], *sampled)) == STEPS[axis]


def test_a_full_size_run_with_barriers_pulses_as_often_as_the_paper_says():
    """2,048 ranks, 64 KiB, as recorded in `tests/data/opennsim`."""
    found = measured("with_barriers")
    assert {axis: len(pulses) for axis, pulses in found.items()} == STEPS
    # They come one after the other, each in its own part of the run.
    for pulses in found.values():
        assert all(a.end_s <= b.start_s for a, b in pairwise(pulses))


def test_where_ranks_drift_by_a_period_no_count_is_reported():
    """The same without barriers: in pulses of y ranks are up to 16 steps apart, a period of x."""
    found = measured("without_barriers")
    assert {axis: len(pulses) for axis, pulses in found.items()} == {"x": 0, "y": 8, "z": 1}


def measured(name):
    """Pulses of a recorded run."""
    table = pq.read_table(IDEAL.parent / f"throughput_{name}.parquet").to_pydict()
    ends = np.minimum((np.arange(len(table["x+"])) + 1) * INTERVAL_S, RUN_S[name])
    starts = np.concatenate(([0.0], ends[:-1]))
    rows = [
        (start, end, direction, value)
        for direction in DIRECTIONS
        for start, end, value in zip(starts, ends, table[direction], strict=True)
    ]
    return pulses_of_rows(rows)


def test_random_exchanges_do_not_pulse():
    """Each interval is another mixture: + leads a little, since ties go +, but never for long."""
    noise = np.random.default_rng(2)
    edges = np.arange(3001) * 1e-6
    plus, minus = noise.normal(2.2, 0.5, (1, 3000)), noise.normal(1.8, 0.5, (1, 3000))
    assert find_pulses(edges[:-1], edges[1:], plus[0], np.clip(minus[0], 0, None)) == []


def test_a_direction_that_always_leads_does_not_pulse():
    edges = np.arange(1001.0)
    assert find_pulses(edges[:-1], edges[1:], np.full(1000, 4.0), np.zeros(1000)) == []


def test_series_without_traffic_have_no_pulses():
    assert find_pulses([], [], [], []) == []
    assert find_pulses([0, 1], [1, 2], [0, 0], [0, 0]) == []
    assert find_pulses([0, 1], [1, 2], [0, 0], [1, 2]) == []


def test_pulses_at_the_borders_count():
    plus = np.tile([4.0, 2.0, 2.0, 2.0], 5)[:-3].repeat(50)
    minus = np.tile([0.0, 2.0, 2.0, 2.0], 5)[:-3].repeat(50)
    edges = np.arange(plus.size + 1.0)
    pulses = find_pulses(edges[:-1], edges[1:], plus, minus)
    middles = [(pulse.start_s + pulse.end_s) / 2 for pulse in pulses]
    assert middles == pytest.approx([25, 225, 425, 625, 825], abs=10)


def test_series_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="2 starts, 1 ends, 2 and 3 throughputs"):
        find_pulses([0, 1], [1], [1, 2], [1, 2, 3])


def test_links_without_an_opposite_direction_have_no_entry():
    assert pulses_of_rows([(0, 1, "up", 1.0), (0, 1, "x+", 1.0)]) == {}

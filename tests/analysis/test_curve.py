"""Curves of pieces: what is known to be true comes back, whatever noise and outliers hide it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weft.analysis.curve import TooFewSizesError, fit_curve
from weft.analysis.hockney import fit_pingpong
from weft.analysis.loggp import FittedLogGP, loggp_of
from weft.analysis.network_costs import costs_of, eager_limit_bytes

pytestmark = pytest.mark.slow

#: Two sizes for each power of two, and 0.
SIZES = sorted({0, 1, 2, 4} | {size for k in range(3, 23) for size in (2**k, 3 * 2 ** (k - 1))})
#: Between these.
UNSEEN = [5 * 2 ** (k - 2) for k in range(4, 23)]


def truth(start_s, byte_s, knots):
    """Times by size: behind each knot, the time jumps by a factor and a byte takes another time."""

    def seconds(size):
        begin, time, slope = 0, start_s, byte_s
        for knot, jump, faster in knots:
            if size <= knot:
                break
            time = (time + (knot - begin) * slope) * jump
            begin, slope = knot, slope * faster
        return time + (size - begin) * slope

    return seconds


#: A protocol behind a power of two, another one far enough behind it.
knots = st.tuples(
    st.sampled_from([2**k for k in range(8, 12)]),
    st.sampled_from([2**k for k in range(14, 18)]),
    st.tuples(st.floats(1.4, 3), st.floats(0.6, 1.5)),
    st.tuples(st.floats(1.4, 3), st.floats(0.6, 1.5)),
).map(lambda drawn: [(drawn[0], *drawn[2]), (drawn[1], *drawn[3])])
machines = st.tuples(st.floats(2e-7, 5e-6), st.floats(5e-11, 1e-9), knots)


def measured(seconds, seed, noise, outliers, repeats=3):
    random = np.random.default_rng(seed)
    sizes = np.repeat(SIZES, repeats)
    times = np.array([seconds(size) for size in sizes])
    times *= np.exp(noise * random.standard_normal(sizes.size))
    # One repetition of a size: nobody knows the time of a size of which most are disturbed.
    for place in random.choice(len(SIZES), outliers, replace=False):
        times[place * repeats + random.integers(repeats)] *= random.uniform(1.5, 20)
    return sizes.tolist(), times.tolist()


@settings(max_examples=10)
@given(machine=machines, seed=st.integers(0, 10**6))
def test_protocols_are_found_behind_their_sizes(machine, seed):
    seconds = truth(*machine)
    curve = fit_curve(*measured(seconds, seed, noise=0.01, outliers=6))
    assert {knot for knot, _, _ in machine[2]} <= set(curve.jumps_bytes)
    assert len(curve.pieces) <= 5


@settings(max_examples=10)
@given(machine=machines, seed=st.integers(0, 10**6))
def test_sizes_that_were_not_measured_are_predicted(machine, seed):
    seconds = truth(*machine)
    curve = fit_curve(*measured(seconds, seed, noise=0.01, outliers=6))
    errors = [abs(curve.seconds(size) / seconds(size) - 1) for size in UNSEEN]
    assert np.median(errors) < 0.02
    assert max(errors) < 0.1


@settings(max_examples=5)
@given(machine=machines)
def test_without_noise_the_parameters_come_back(machine):
    seconds = truth(*machine)
    curve = fit_curve(SIZES, [seconds(size) for size in SIZES])
    first = curve.pieces[0]
    assert first.time_s == pytest.approx(machine[0], rel=0.02)
    for knot, _, _ in machine[2]:
        assert curve.seconds(knot + 1) == pytest.approx(seconds(knot + 1), rel=0.03)
        assert curve.seconds(knot) == pytest.approx(seconds(knot), rel=0.03)


def line(size):
    return 1e-6 + size * 1e-10


def test_a_line_is_one_piece_however_many_sizes_there_are():
    curve = fit_curve(*measured(line, 5, noise=0.03, outliers=0))
    assert len(curve.pieces) == 1
    assert curve.jumps_bytes == ()
    assert curve.confidence == "good"


def test_lines_that_meet_change_where_they_cross():
    def bend(size):
        return 1e-6 + size * 1e-10 if size <= 40_000 else 5e-6 + (size - 40_000) * 5e-10

    curve = fit_curve(SIZES, [bend(size) for size in SIZES])
    assert [piece.from_bytes for piece in curve.pieces] == [0, pytest.approx(40_000, rel=0.01)]
    assert curve.jumps_bytes == ()


def test_an_outlier_is_named_and_left_out():
    times = [line(size) * (30 if size == 4096 else 1) for size in SIZES]
    curve = fit_curve(SIZES, times)
    assert curve.outliers_bytes == (4096,)
    assert curve.seconds(4096) == pytest.approx(line(4096), rel=0.01)
    assert curve.confidence == "good"


def test_repetitions_give_the_scatter():
    curve = fit_curve(*measured(line, 3, noise=0.05, outliers=0))
    assert 0.01 < curve.scatter < 0.1
    assert fit_curve(SIZES, [line(size) for size in SIZES]).scatter is None


def test_times_that_follow_no_curve_are_rough():
    random = np.random.default_rng(2)
    times = [line(size) * random.uniform(0.3, 3) for size in SIZES]
    assert fit_curve(SIZES, times).confidence == "rough"


def test_steps_of_the_clock_are_no_protocols():
    step_s = 1e-8
    times = [round((5.4e-8 + size * 1e-11) / step_s) * step_s for size in SIZES]
    assert len(fit_curve(SIZES, times, step_s).pieces) == 1
    assert len(fit_curve(SIZES, times).pieces) > 1


@pytest.mark.parametrize(("sizes", "message"), [([0, 1], "there are 2"), ([8, 8, 8], "are 1")])
def test_a_curve_needs_three_sizes(sizes, message):
    with pytest.raises(TooFewSizesError, match=message):
        fit_curve(sizes, [1e-6] * len(sizes))


def test_numbers_that_are_no_times():
    with pytest.raises(ValueError, match="one finite time above 0"):
        fit_curve([1, 2, 3], [1.0, 0.0, 1.0])


@settings(max_examples=5)
@given(machine=machines)
def test_links_are_never_slower_than_what_was_measured(machine):
    seconds = truth(*machine)
    curve = fit_curve(SIZES, [seconds(size) for size in SIZES])
    costs = costs_of({"between_nodes": {"one_way": curve}}, FittedLogGP(0.0, 0.0, 0.0, 0.0))
    for size in [*SIZES, *UNSEEN, 2**31]:
        alone = costs["link_latency_s"] + size / costs["link_bandwidth_bytes_per_s"]
        assert alone <= curve.seconds(size) - 0.24 * curve.seconds(0)


def test_times_that_a_busy_machine_flattens_give_no_link_without_limit():
    """Nobody knows how fast larger messages are; simulators refuse such a link."""
    sizes = [size for size in SIZES if size <= 49_152]
    curve = fit_curve(sizes, [min(line(size), line(8192)) for size in sizes])
    assert curve.pieces[-1].byte_time_s == pytest.approx(0, abs=1e-13)
    costs = costs_of({"between_nodes": {"one_way": curve}}, FittedLogGP(0.0, 0.0, 0.0, 0.0))
    assert costs["link_bandwidth_bytes_per_s"] < 1e12
    for size in sizes:
        alone = costs["link_latency_s"] + size / costs["link_bandwidth_bytes_per_s"]
        assert alone <= curve.seconds(size) - 0.24 * curve.seconds(0)


def test_the_largest_jump_upwards_ends_eager_messages():
    seconds = truth(1e-6, 1e-10, [(1024, 1.4, 1), (16_384, 3, 1), (2**20, 0.5, 1)])
    curve = fit_curve(SIZES, [seconds(size) for size in SIZES])
    assert eager_limit_bytes(curve) == 16_384
    assert eager_limit_bytes(fit_curve(SIZES, [line(size) for size in SIZES])) is None


def test_links_carry_a_stream_as_fast_as_it_was_measured():
    curves = {
        "one_way": fit_curve(SIZES, [1e-6 + size * 2e-10 for size in SIZES]),
        "gap": fit_curve(SIZES, [2e-7 + size * 1e-10 for size in SIZES]),
    }
    costs = costs_of({"between_nodes": curves}, FittedLogGP(0.0, 0.0, 0.0, 0.0))
    assert costs["link_bandwidth_bytes_per_s"] >= 0.99e10
    assert costs["between_nodes"]["gap"][0]["time_s"] == pytest.approx(2e-7, rel=0.02)


def test_links_know_nothing_of_what_is_no_transfer():
    """Sends and copies are shorter than any message."""
    one_way = fit_curve(SIZES, [1e-6 + size * 2e-10 for size in SIZES])
    short = fit_curve(SIZES, [1e-8 + size * 1e-12 for size in SIZES])
    plain = costs_of({"between_nodes": {"one_way": one_way}}, FittedLogGP(0.0, 0.0, 0.0, 0.0))
    curves = {"one_way": one_way, "sent": short, "copying": short, "duplex": short}
    found = costs_of({"between_nodes": curves}, FittedLogGP(0.0, 0.0, 0.0, 0.0))
    for key in ("link_latency_s", "link_bandwidth_bytes_per_s"):
        assert found[key] == plain[key]
    assert set(found["between_nodes"]) == {"one_way", "sent", "copying", "duplex"}


def test_the_gap_of_loggp_is_that_of_a_stream():
    both = fit_curve([0, 1, 2], [2e-6] * 3)
    stream = fit_curve([0, 1, 2], [6e-7] * 3)
    machine = fit_pingpong([0, 1000], [1e-6, 2e-6])
    assert loggp_of(machine, both, stream).gap_s == pytest.approx(6e-7)
    assert loggp_of(machine, both).gap_s == pytest.approx(1e-6)


def test_disturbed_times_cost_less_than_a_piece_through_them():
    """Two that lie on a line with their neighbour: an error without a bound would pay for it."""
    times = [line(size) for size in SIZES]
    steep = 50 * (line(8192) - line(4096)) / 4096
    for size in (6144, 8192):
        times[SIZES.index(size)] = line(4096) + steep * (size - 4096)
    curve = fit_curve(SIZES, times)
    assert curve.outliers_bytes == (6144, 8192)
    assert len(curve.pieces) == 1


#: A copy whose places make the processor slow from 4 KiB to 256 KiB, in microseconds: as measured.
SLOW_COPY = {
    8: 0.03, 16: 0.03, 32: 0.03, 64: 0.03, 128: 0.03, 256: 0.03, 512: 0.03, 1024: 0.04, 2048: 0.05,
    4096: 1.403, 8192: 2.785, 16384: 6.182, 32768: 12.0, 65536: 23.544, 131072: 47.0,
    262144: 89.698, 524288: 19.5, 1048576: 39.6,
}  # fmt: skip


@pytest.mark.parametrize("noise", [0.0, 0.05, 0.2])
def test_sizes_between_two_jumps_are_no_outliers(noise):
    """However large the jumps are, and with two sizes behind the last one."""
    random = np.random.default_rng(4)
    sizes = np.repeat(list(SLOW_COPY), 3)
    times = np.repeat(list(SLOW_COPY.values()), 3) * 1e-6
    times = np.round(times * (1 + noise * random.random(times.size)), 8)
    curve = fit_curve(sizes.tolist(), times.tolist(), 5e-9)
    assert curve.jumps_bytes == (2048, 262144)
    for size, time_us in SLOW_COPY.items():
        assert curve.seconds(size) == pytest.approx(time_us * 1e-6, rel=0.15 + noise, abs=1e-8)


def test_what_is_too_fast_was_not_disturbed():
    """Two sizes below a line are as good as three above it."""
    times = [line(size) * (0.2 if size >= 2**22 else 1) for size in SIZES]
    curve = fit_curve(SIZES, times)
    assert curve.jumps_bytes == (3 * 2**20,)
    assert curve.seconds(2**22) == pytest.approx(0.2 * line(2**22), rel=0.02)


def test_a_size_within_a_jump_spoils_neither_of_the_lines_beside_it():
    """Times of an exchange in us on one node: at 8148 B some of the messages were eager."""
    measured_us = {
        4096: (2.24, 2.24, 2.26), 5793: (2.35, 2.34, 2.33), 6889: (2.42, 2.42, 2.46),
        7512: (2.46, 2.45, 2.49), 7845: (2.53, 2.48, 2.54), 8017: (2.54, 2.50, 2.55),
        8104: (2.50, 2.52, 2.53), 8148: (4.29, 4.38, 4.27), 8192: (5.82, 5.78, 5.81),
        16384: (6.56, 6.67, 6.60), 32768: (8.05, 8.08, 8.01), 46341: (9.69, 9.61, 9.68),
        65536: (11.35, 11.38, 11.34), 131072: (17.71, 17.73, 17.57),
    }  # fmt: skip
    pairs = [(size, time * 1e-6) for size, times in measured_us.items() for time in times]
    curve = fit_curve(*zip(*pairs, strict=True), resolution_s=1e-8)
    assert curve.outliers_bytes == (8148,)
    assert curve.seconds(12288) == pytest.approx(6.2e-6, rel=0.02)

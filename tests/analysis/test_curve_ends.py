"""What is special at the ends of a curve: 0 bytes, short times by a clock with steps, and the last
sizes, from which the times of larger messages follow."""

from pathlib import Path

import numpy as np
import pytest
from weft.analysis.curve import fit_curve
from weft.analysis.network_costs import eager_limit_bytes
from weft.analysis.pingpongs import IN_ONE_LOOK, Pingpong

pytestmark = pytest.mark.slow

SIZES = [0, *(2**k for k in range(23))]


def _line(size):
    return 1e-6 + size * 1e-10


#: Puts between two ranks in us, as measured: 16 in one look at a clock with steps of 20 ns.
SHORT_PUTS = {
    0: 0.0269, 1: 0.0451, 2: 0.0451, 4: 0.0451, 8: 0.0445, 16: 0.0444, 32: 0.0444, 64: 0.0444,
    128: 0.0444, 256: 0.0444, 352: 0.0444, 512: 0.0444, 724: 0.0482, 861: 0.0482, 1024: 0.0470,
    1448: 0.0689, 1722: 0.0695, 1878: 0.0707, 2004: 0.0708, 2048: 0.0707, 4096: 0.0933,
    5793: 0.1014, 6889: 0.1071, 8017: 0.1114, 8192: 0.1127, 16384: 0.1421,
}  # fmt: skip


def test_looks_at_the_clock_are_those_of_the_program():
    program = (Path(__file__).parents[2] / "programs" / "pingpong.c").read_text()
    for name, metric in (("PUTS", "put_time_s"), ("LONG_STREAM", "gap_time_s")):
        assert f"{name} = {IN_ONE_LOOK[metric]}" in program
    assert IN_ONE_LOOK["duplex_time_s"] == IN_ONE_LOOK["gap_time_s"]


@pytest.mark.parametrize("repeats", [1, 7])
def test_a_put_of_no_bytes_does_not_bend_the_line_of_short_ones(repeats):
    pairs = [(size, time * 1e-6) for size, time in SHORT_PUTS.items() for _ in range(repeats)]
    resolution_s = Pingpong((), {}, 0, 1e-8, None, None, None).resolution_s("put_time_s")
    curve = fit_curve(*zip(*pairs, strict=True), resolution_s)
    assert curve.outliers_bytes == ()
    for size, time_us in SHORT_PUTS.items():
        assert curve.seconds(size) == pytest.approx(time_us * 1e-6, rel=0.03)


def test_no_bytes_in_a_longer_time_were_disturbed():
    curve = fit_curve(SIZES, [_line(size) * (1.5 if size == 0 else 1) for size in SIZES])
    assert curve.outliers_bytes == (0,)
    assert len(curve.pieces) == 1


#: Puts in us, as measured, with the sizes at which a search looked for the jump at 1 MiB.
LARGE_PUTS = {
    524288: 5.1205, 623487: 7.3126, 741455: 9.0023, 881744: 11.6877, 961549: 13.3432,
    1004120: 14.2242, 1026107: 15.1653, 1037281: 15.3988, 1042913: 15.4820, 1048576: 18.0684,
}  # fmt: skip


def test_close_sizes_give_no_slope_to_larger_messages():
    random = np.random.default_rng(8)
    sizes = np.repeat(list(LARGE_PUTS), 7)
    times = np.repeat(list(LARGE_PUTS.values()), 7) * 1e-6
    times *= 1 + 0.03 * np.abs(random.standard_normal(times.size))
    curve = fit_curve(sizes.tolist(), times.tolist(), 6e-10)
    assert 60e-6 < curve.seconds(2**22) < 130e-6


def test_that_no_bytes_are_fast_ends_no_eager_messages():
    times = [_line(size) * (2 if size > 8192 else 1) for size in SIZES[1:]]
    curve = fit_curve(SIZES, [_line(0) / 3, *times])
    assert curve.jumps_bytes == (0, 8192)
    assert eager_limit_bytes(curve) == 8192

import numpy as np
import pytest
from weft.analysis.statistics import median_interval, summarise, trimmed_mean


def test_trimmed_mean_drops_a_tenth_at_either_end():
    assert trimmed_mean([1000, 1, 2, 3, 4, 5, 6, 7, 8, -1000]) == pytest.approx(4.5)


def test_summary_of_a_hundred_values():
    summary = summarise(list(range(101)))
    assert (summary.count, summary.minimum, summary.maximum) == (101, 0, 100)
    assert (summary.p05, summary.p25, summary.median) == (5, 25, 50)
    assert (summary.p75, summary.p95, summary.p99) == (75, 95, 99)
    assert summary.mean == summary.trimmed_mean == 50
    assert (summary.median_interval.low, summary.median_interval.high) == (40, 60)


@pytest.mark.slow
def test_the_interval_covers_the_true_median_as_often_as_it_says():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(300):
        interval = median_interval(generator.exponential(size=60), confidence=0.9)
        covered += interval.low <= np.log(2) <= interval.high
    assert covered / 300 >= 0.87


def test_too_few_values_give_no_interval():
    interval = median_interval([1.0, 2.0])
    assert np.isnan(interval.low)
    assert np.isnan(interval.high)


@pytest.mark.parametrize(
    ("values", "message"),
    [([], "no values"), ([1.0, float("nan")], "1 of 2 values are not finite")],
)
def test_bad_values(values, message):
    for function in (summarise, trimmed_mean, median_interval):
        with pytest.raises(ValueError, match=message):
            function(values)


def test_cannot_trim_everything():
    with pytest.raises(ValueError, match="cannot cut"):
        trimmed_mean([1.0], cut=0.5)

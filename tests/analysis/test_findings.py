"""Findings in known curves: the best one, where two cross, where they stop growing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.analysis.findings import (
    SaturationFinding,
    Stretch,
    Value,
    apart,
    changes,
    levelling,
    onset,
    rankings,
    stretches,
)

XS = [float(2**i) for i in range(12)]
SLOPES = st.floats(0.1, 10)


def line(start: float, slope: float) -> dict[float, Value]:
    return {x: Value(start + slope * x) for x in XS}


@given(st.lists(st.floats(0.1, 1e6), min_size=2, max_size=6), st.sampled_from(["lower", "higher"]))
def test_the_best_has_the_extreme_value(values: list[float], better) -> None:
    curves = {f"a{i}": {"here": Value(value)} for i, value in enumerate(values)}
    (ranking,) = rankings(curves, better)
    wanted = min(values) if better == "lower" else max(values)
    assert ranking.order[0][1].mean == wanted
    assert all(ranking.behind(name) >= 1 for name in curves)


def test_means_within_their_scatter_tie() -> None:
    noisy = Value.of([9.0, 10, 11, 10, 10])
    near, far = Value.of([11.0, 9.5, 10, 11, 10]), Value.of([14.0, 13, 14, 15, 14])
    assert not apart(noisy, near)
    assert apart(noisy, far)
    (ranking,) = rankings({"a": {0: noisy}, "b": {0: near}, "c": {0: far}}, "lower")
    assert ranking.leaders == ("a", "b")
    assert ranking.lead == pytest.approx(1.4)


def test_more_replicates_show_smaller_differences() -> None:
    a, b = (9.0, 10.0, 11.0), (11.5, 10.0, 11.5, 11.0)
    assert not apart(Value.of(a), Value.of(b))
    assert apart(Value.of(a * 20), Value.of(b * 20))


def test_what_a_seed_does_to_both_hides_no_difference() -> None:
    seeds = (10.0, 20.0, 30.0, 15.0)
    same = Value.of([1.02 * value for value in seeds])
    assert apart(Value.of(seeds), same)
    assert not apart(Value.of(seeds), Value.of([value * 1.02 for value in (30, 10, 15, 20)]))


def test_measurements_whose_middle_halves_overlap_tie() -> None:
    a, b = Value(10, middle=(9, 11)), Value(10.8, middle=(10.5, 12))
    assert not apart(a, b)
    assert apart(a, Value(10.8, middle=(11.5, 12)))


def test_single_values_of_a_simulator_differ_by_any_digit_that_shows() -> None:
    assert apart(Value(10), Value(10.01))
    assert not apart(Value(10), Value(10.001))


def test_predictions_that_may_be_off_as_a_whole_differ_where_their_intervals_do_not_meet() -> None:
    a, b = Value(10, error=0.05), Value(10.9, error=0.05)
    assert not apart(a, b)
    assert apart(a, Value(11.1, error=0.05))
    # A measurement has no such error, and replicates do not take it away.
    assert apart(a, Value(10.9))
    assert not apart(Value(10, (9.9, 10.1), error=0.05), Value(10.9, (10.8, 11.0), error=0.05))


def test_intervals_hold_what_a_fit_is_off_and_what_seeds_scatter() -> None:
    """A gap of 8 is more than 3 % and 3 %, and more than the scatter, but less than all of them."""
    a, b = Value.of([98, 99, 101, 102]), Value.of([107, 106, 110, 109])
    assert apart(a, b)
    assert apart(Value(100, error=0.03), Value(108, error=0.03))
    off = [Value(each.mean, each.replicates, error=0.03) for each in (a, b)]
    assert not apart(*off)
    # As many seeds as on the other side, or fewer.
    assert not apart(off[0], Value(off[1].mean, off[1].replicates[:3], error=0.03))
    c, d = Value(100, middle=(99, 101)), Value(106, middle=(104, 107), error=0.04)
    assert not apart(c, d)


def test_the_lead_changes_where_curves_cross() -> None:
    found = rankings({"a": line(10, 1), "b": line(0, 2)}, "lower")
    assert stretches([(float(str(r.place)), r) for r in found]) == [
        Stretch(("b",), 1, 8),
        Stretch(("a",), 16, 2048),
    ]


def test_a_network_saturates_between_two_loads() -> None:
    assert onset({0.1: False, 0.2: False, 0.3: True, 0.4: True}) == SaturationFinding(0.2, 0.3)
    assert onset({0.1: False}) == SaturationFinding(0.1, None)
    assert onset({0.1: True}) == SaturationFinding(None, 0.1)


@given(st.integers(1, 10), st.floats(1, 1e9))
def test_a_curve_that_grows_and_stops_levels_off_there(knee: int, top: float) -> None:
    curve = {x: top * min(1.0, x / XS[knee]) for x in XS}
    assert levelling(curve, "higher", 0.05) == SaturationFinding(XS[knee - 1], XS[knee], top)


def test_a_curve_that_grows_to_its_end_does_not_level_off() -> None:
    assert levelling({x: x for x in XS}, "higher", 0.05).first is None


def test_a_curve_that_falls_again_does_not_stay_level() -> None:
    curve = {1: 1.0, 2: 9.8, 4: 10.0, 8: 6.0, 16: 5.0}
    assert levelling(curve, "higher", 0.05) == SaturationFinding(1, 2, 10.0, left=8)


def test_a_change_compares_each_replicate_with_its_own_seed() -> None:
    """The second seed is ten times the first; both lose a tenth, then a fifth and three tenths."""
    curve = {0.0: Value.of([1, 10]), 1.0: Value.of([0.9, 9]), 2.0: Value.of([0.8, 7])}
    first, second = changes(curve)
    assert (first.x, first.replicates) == (1, 2)
    assert (first.share, first.low, first.high) == pytest.approx((-0.1, -0.1, -0.1))
    assert (second.low, second.high) == pytest.approx((-0.3, -0.2))
    assert second.share == pytest.approx(7.8 / 11 - 1)


def test_a_change_leaves_out_seeds_that_one_place_lacks() -> None:
    curve = {0.0: Value.of([1, 3], "ab"), 4.0: Value.of([1.5], "b"), 8.0: Value.of([9], "c")}
    (only,) = changes(curve)
    assert (only.x, only.share, only.low, only.high, only.replicates) == (4, -0.5, -0.5, -0.5, 1)


def test_alternatives_are_ranked_on_the_seeds_that_all_of_them_have() -> None:
    """Both lack a seed, and not the same one: the means of what each has mislead."""
    a, b = Value.of([1, 10.0, 2], "xyz"), Value.of([1.1, 2.2, 3.3], "xzw")
    (found,) = rankings({"a": {0: a}, "b": {0: b}}, "lower")
    assert found.best == "a"
    assert [value.mean for _, value in found.order] == pytest.approx([1.5, 1.65])


def test_a_difference_is_tested_on_pairs_of_one_seed() -> None:
    """As many values on both sides, and not of the same seeds."""
    seeds = {"a": 10.0, "b": 20.0, "c": 30.0, "d": 15.0, "e": 90.0}
    first = Value.of([seeds[name] for name in "abcd"], "abcd")
    assert apart(first, Value.of([11.0, 21.1, 30.9, 91.0], "abce"))
    assert not apart(first, Value.of([21.1, 30.9, 11.0, 91.0], "abce"))


def test_nothing_changes_against_0_or_without_a_second_place() -> None:
    assert changes({0.0: Value(0.0), 1.0: Value(2.0)}) == []
    assert changes({3.0: Value(1.0)}) == changes({}) == []

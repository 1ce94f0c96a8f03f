"""A bound admits what lies between its ends; strict ends do not belong to it."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.analysis.bounds import HELD, MISSED, VOID, Bound, Check, verdict_of

NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("ends", "value", "met"),
    [
        ({"least": 1}, 1, True),
        ({"above": 1}, 1, False),
        ({"above": 1}, 1.01, True),
        ({"most": 2}, 2, True),
        ({"below": 2}, 2, False),
        ({"below": 2}, 1.99, True),
        ({"below": 2}, float("nan"), False),
    ],
)
def test_ends_belong_to_a_bound_unless_they_are_strict(ends, value, met):
    assert Bound("it", **ends).met(value) is met


@given(NUMBERS, NUMBERS, NUMBERS)
def test_a_missed_end_is_on_the_side_of_the_value(low, high, value):
    low, high = sorted((low, high))
    for least, most in product(("least", "above"), ("most", "below")):
        bound = Bound("it", **{least: low, most: high})
        end = bound.nearest_end(value)
        assert (end is None) == bound.met(value)
        if value > high or value < low:
            assert end == (high if value > high else low)


def test_a_value_beyond_an_end_of_0_has_this_end():
    assert Bound("it", above=0).nearest_end(0) == 0


def test_a_strict_bound_reads_as_words():
    assert (
        Bound("the time", above=1, below=2, unit="s").text() == "the time above 1 s and below 2 s"
    )


def test_a_verdict_needs_every_check():
    met, wrong = Check("a", True), Check("b", False)
    assert verdict_of([met, met]) == HELD
    assert verdict_of([met, wrong]) == MISSED
    assert verdict_of([]) == VOID

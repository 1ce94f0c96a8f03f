"""Amounts of a metric carry their unit, and shares may be written with a sign."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.config.language.amounts import amount, share_or_number


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("2 ms", "s", 0.002),
        ("64 KiB", "B", 65536),
        ("4 GB/s", "B/s", 4e9),
        ("120 cycles", "cycle", 120),
        ("10 %", "1", 0.1),
        (0.25, "1", 0.25),
    ],
)
def test_an_amount_is_read_in_the_unit_of_its_metric(text, unit, number):
    assert amount(text, unit) == number


@pytest.mark.parametrize(
    ("given", "unit", "words"),
    [
        (2, "s", "a time with its unit, like '2 ms'; got 2"),
        ("2 KiB", "s", "another dimension"),
        ("2 mss", "s", "unknown unit 'mss'"),
        ("2 ms", "1", "a number without a unit"),
        (float("nan"), "1", "expected a number"),
        ("9 cyclles", "cycle", "did you mean 'cycles'?"),
    ],
)
def test_an_amount_without_its_unit_is_refused(given, unit, words):
    with pytest.raises(ValueError, match=words.replace("?", r"\?")):
        amount(given, unit)


@given(st.integers(0, 10**6))
def test_a_share_with_a_sign_is_a_hundredth(number):
    assert share_or_number(f"{number} %") == number / 100

"""Quantities and conditions, for any text: what is written is what is read, or one message."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from weft.config.language.condition import GRAMMAR, parse_condition
from weft.config.language.quantities import RATE, SIZE, TIME, in_si, parse, spread, whole_bytes

BYTES = {
    "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KiB": 2**10, "MiB": 2**20, "GiB": 2**30,
}  # fmt: skip
SECONDS = {"ns": "1e-9", "us": "1e-6", "ms": "1e-3", "s": "1", "min": "60", "h": "3600"}
BLANKS = st.sampled_from(["", " ", "  "])


def refusal(read: Callable[[], object]) -> str | None:
    """The message with which a text is refused; any other error fails the test."""
    try:
        read()
    except ValueError as error:
        return str(error)
    return None


@given(st.integers(0, 10**6), st.sampled_from(sorted(BYTES)), BLANKS)
def test_a_size_is_its_number_of_units(number: int, unit: str, blank: str) -> None:
    assert whole_bytes(f"{number}{blank}{unit}") == number * BYTES[unit]


@given(st.decimals(0, 999, places=3), st.sampled_from(sorted(SECONDS)), BLANKS)
def test_a_time_is_exact_before_it_becomes_a_float(number: Decimal, unit: str, blank: str) -> None:
    exact = number * Decimal(SECONDS[unit])
    assert in_si(f"{number}{blank}{unit}") == exact
    assert parse(f"{number}{blank}{unit}", TIME) == float(exact)


@given(st.integers(1, 999), st.sampled_from(sorted(BYTES)))
def test_eight_bits_are_a_byte_in_every_rate(number: int, unit: str) -> None:
    rate = parse(f"{number} {unit}/s", RATE)
    assert rate == parse(f"{8 * number} {unit.replace('B', 'bit')}/s", RATE)


@pytest.mark.slow
@given(st.text(max_size=30) | st.from_regex(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)? ?[A-Za-zµ/]{0,6}"))
@example("0A \u0ce6")
@example("1 B/")
@example("0E1000000000000000000A")
@example("1e-1000000000000000000 B")
def test_any_other_text_is_one_message(text: str) -> None:
    for dimension in (SIZE, TIME, RATE):
        message = refusal(lambda about=dimension: parse(text, about))
        assert message is None or message.startswith(f"expected {dimension.name} with its unit")


@given(st.integers(-500, 500), st.integers(0, 500), st.integers(1, 50))
def test_a_range_has_both_ends_as_far_as_its_step_meets_them(
    start: int, length: int, step: int
) -> None:
    values = spread({"from": start, "to": start + length, "step": step})
    assert values == list(range(start, start + length + 1, step))


@given(st.integers(1, 10), st.integers(2, 4), st.integers(0, 5), st.sampled_from(sorted(BYTES)))
def test_a_range_of_quantities_keeps_its_unit(
    start: int, factor: int, count: int, unit: str
) -> None:
    last = start * factor**count
    values = spread({"from": f"{start} {unit}", "to": f"{last} {unit}", "factor": factor})
    assert [whole_bytes(value) for value in values] == [
        start * factor**i * BYTES[unit] for i in range(count + 1)
    ]


KEYS = st.sampled_from(["topology.k", "engine", "options.model", "workload.ranks"])
NUMBERS = st.integers(-100, 100)
ORDERS = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__,
    ">=": int.__ge__,
}  # fmt: skip


@given(KEYS, st.sampled_from(sorted(ORDERS)), NUMBERS, NUMBERS)
def test_a_comparison_of_numbers_holds_as_in_arithmetic(
    key: str, operator: str, left: int, right: int
) -> None:
    condition = parse_condition(f"{key} {operator} {right}")
    assert list(condition.keys()) == [key]
    assert condition.holds({key: left}.get) == ORDERS[operator](left, right)


@given(KEYS, st.lists(NUMBERS, min_size=1), NUMBERS)
def test_in_and_not_in_are_opposites(key: str, values: list[int], value: int) -> None:
    found, lacking = (parse_condition(f"{key} {word} {values}") for word in ("in", "not in"))
    assert found.holds({key: value}.get) == (value in values)
    assert lacking.holds({key: value}.get) == (value not in values)


@pytest.mark.slow
@given(st.lists(st.tuples(KEYS, NUMBERS), min_size=1, max_size=4), NUMBERS)
def test_terms_are_joined_by_and(terms: list[tuple[str, int]], value: int) -> None:
    condition = parse_condition(" and ".join(f"{key} == {right}" for key, right in terms))
    assert condition.holds(lambda _: value) == all(value == right for _, right in terms)


@given(KEYS, st.integers(0, 1000), st.integers(1, 50), st.integers(0, 50))
def test_what_is_left_after_division(key: str, value: int, divisor: int, rest: int) -> None:
    condition = parse_condition(f"{key} % {divisor} == {rest}")
    assert condition.holds({key: value}.get) == (value % divisor == rest)


WORDS = ["a.b", "==", "in", "[1, 2]", "contains", "is a square", "and", "%", "3", "'x", "!!int x"]


#: What a refused condition is told: how one is written, or what is wrong with its right side.
REFUSED = (GRAMMAR, " needs ", " compares ", "only `and` joins terms")


@example("A is a square0")
@example("A<0<=")
@given(st.text(max_size=40) | st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
def test_any_text_is_a_condition_or_one_message(text: str) -> None:
    message = refusal(lambda: parse_condition(text).holds(lambda _: 3))
    assert message is None or any(each in message for each in REFUSED), message


@pytest.mark.parametrize("value", [3, None, ["a == 1"]])
def test_only_a_text_is_a_condition(value: object) -> None:
    with pytest.raises(ValueError, match="a condition must be text"):
        parse_condition(value)

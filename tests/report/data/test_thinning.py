"""A drawing has what a screen can show of a series: its ends and every peak."""

from __future__ import annotations

from dataclasses import replace

from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.thinning import MOST_ROWS, MOST_STRETCHES, at_fewer_places, thinned


def series(
    name: str, count: int, low: float | None = None, high: float | None = None
) -> list[SeriesValue]:
    """A flat series with its values one after the other along x."""
    return [SeriesValue(name, ANSWER, x, 1.0, low=low, high=high) for x in range(count)]


def xs(rows: list[SeriesValue]) -> list[str | float]:
    return [row.x for row in rows]


def test_few_values_are_all_drawn_in_their_order() -> None:
    rows = [*series("b", 2 * MOST_STRETCHES), *series("a", 3)]
    assert thinned(rows) == rows


def test_a_peak_of_one_value_among_many_is_drawn() -> None:
    rows = series("a", 10_001)
    rows[4321], rows[8765] = replace(rows[4321], y=50.0), replace(rows[8765], y=-50.0)
    drawn = thinned(rows)
    assert rows[4321] in drawn
    assert rows[8765] in drawn
    assert len(drawn) <= 2 * MOST_STRETCHES + 2


def test_the_first_and_the_last_value_are_drawn_whatever_their_order() -> None:
    rows = series("a", 10_001)[::-1]
    drawn = xs(thinned(rows))
    assert drawn[0] == 10_000
    assert drawn[-1] == 0


def test_a_logarithmic_axis_has_its_stretches_along_the_logarithm() -> None:
    rows = [replace(row, x=place + 1) for place, row in enumerate(series("a", 100_000))]
    assert len([x for x in xs(thinned(rows, log_x=True)) if float(x) <= 100]) > 50
    assert len([x for x in xs(thinned(rows)) if float(x) <= 100]) < 10


def test_the_ends_of_bands_are_drawn() -> None:
    rows = series("a", 10_000, low=0.9, high=1.1)
    rows[5000], rows[7000] = replace(rows[5000], low=0.1), replace(rows[7000], high=9.0)
    drawn = thinned(rows)
    assert rows[5000] in drawn
    assert rows[7000] in drawn


def test_a_flagged_value_is_drawn_among_others() -> None:
    rows = series("a", 10_000)
    rows[5005] = replace(rows[5005], flag="measured on a busy machine")
    assert rows[5005] in thinned(rows)


def test_words_are_thinned_by_their_order() -> None:
    rows = [replace(row, x=f"{row.x:05}") for row in series("a", 10_000)]
    assert len(thinned(rows)) <= 2 * MOST_STRETCHES + 2


def test_many_series_share_the_rows_of_a_drawing() -> None:
    rows = [row for n in range(80) for row in series(str(n), 500)]
    drawn = thinned(rows)
    assert len(drawn) <= MOST_ROWS + 2 * 80
    assert {row.series for row in drawn} == {str(n) for n in range(80)}


def test_bars_are_left_out_at_the_same_places_in_all_series() -> None:
    rows = [row for name in "ab" for row in series(name, 1000)]
    drawn = at_fewer_places(rows)
    found = {name: [row.x for row in drawn if row.series == name] for name in "ab"}
    assert found["a"] == found["b"]
    assert len(found["a"]) == MOST_STRETCHES
    assert (found["a"][0], found["a"][-1]) == (0, 999)

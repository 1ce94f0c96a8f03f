from __future__ import annotations

import pytest
from weft.analysis.comparison import Answer, compare


def answers(**values: float) -> list[Answer]:
    return [Answer({"k": int(name[1:])}, value) for name, value in values.items()]


def test_ratios_are_joined_on_shared_coordinates() -> None:
    found = compare("m", ("a", answers(k2=2.0, k4=1.0, k8=9.0)), ("b", answers(k2=1.0, k4=4.0)))
    assert [(r.coordinates["k"], r.ratio) for r in found.ratios] == [(2, 2.0), (4, 0.25)]
    assert (found.matched, found.of_count, found.to_count, found.coverage) == (2, 3, 2, 1.0)


def test_half_and_double_are_equally_far() -> None:
    found = compare("m", ("a", answers(k2=2.0, k4=0.5)), ("b", answers(k2=1.0, k4=1.0)))
    assert found.geometric_mean == pytest.approx(1.0)
    assert found.median_factor == pytest.approx(2.0)
    assert found.max_factor == pytest.approx(2.0)
    assert found.worst.coordinates == {"k": 2}


def test_integers_floats_and_texts_of_one_value_match() -> None:
    found = compare("m", ("a", [Answer({"k": "16"}, 1.0)]), ("b", [Answer({"k": 16.0}, 1.0)]))
    assert found.matched == 1


def test_a_coordinate_of_one_side_does_not_hinder() -> None:
    mine = [Answer({"k": 2, "routing": r}, v) for r, v in (("dmodk", 1.0), ("smodk", 3.0))]
    found = compare("m", ("a", mine), ("b", answers(k2=1.0)))
    assert [r.ratio for r in found.ratios] == [1.0, 3.0]
    assert found.ratios[1].coordinates == {"k": 2, "routing": "smodk"}


def test_zeros_form_no_ratio_and_lower_the_coverage() -> None:
    found = compare("m", ("a", answers(k2=0.0, k4=1.0)), ("b", answers(k2=1.0, k4=1.0)))
    assert (found.matched, found.coverage) == (1, 0.5)

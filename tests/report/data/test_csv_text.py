"""The CSV of a figure holds what its rows hold, and nothing that a spreadsheet would calculate."""

import pytest
from weft.report.data.csv_text import csv_text


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-cmd|' /C calc'!A0"])
def test_a_name_like_a_formula_stays_a_text(name: str) -> None:
    assert csv_text(["node"], [[name]]) == f"node\n'{name}\n"


def test_numbers_and_other_texts_stay_as_they_are() -> None:
    row = [-1.5e-06, 3, None, "-1.5e-06", "-", "n0:1", "leaf1 > spine2"]
    assert csv_text(["a"], [row]) == "a\n-1.5e-06,3,,-1.5e-06,-,n0:1,leaf1 > spine2\n"

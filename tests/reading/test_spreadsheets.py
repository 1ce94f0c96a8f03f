"""The CSV file of `weft answers` is shown by a spreadsheet, which calculates nothing of it."""

from __future__ import annotations

import csv
from pathlib import Path

import pyarrow as pa
import pytest
from weft.command.show import answer_lines
from weft.read import Answers


def written(folder: Path, **columns: list[object]) -> list[list[str]]:
    file = folder / "answers.csv"
    list(answer_lines(Answers(pa.table(columns)), file, None, 1))
    with file.open(newline="") as lines:
        return list(csv.reader(lines))


@pytest.mark.parametrize(
    "name", ["=1+1", "+cmd", "@SUM(A1)", "-2+3", "-a.csv", "\t=1", "=HYPERLINK(\n1)"]
)
def test_a_name_that_is_a_formula_gets_an_apostrophe(tmp_path: Path, name: str) -> None:
    rows = written(tmp_path, variant=[name, "plain", None], replicate=[1, 2, 3])
    assert rows[1:] == [[f"'{name}", "1"], ["plain", "2"], ["", "3"]]


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    rows = written(tmp_path, value=[-1.5e-7, 2.0], bytes=[-3, None], text=["-1.5e-06", "-"])
    assert rows[1:] == [["-1.5e-7", "-3", "-1.5e-06"], ["2", "", "-"]]

"""Rows of a CSV text under the columns that its first line names."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from weft.config.graphs.model import GraphProblem
from weft.config.language.errors import unknown

#: What spreadsheets write in place of a comma, by the language of the machine.
_OTHER_SEPARATORS = {"semicolons": ";", "tabs": "\t"}


def csv_rows(
    lines: Iterable[str], required: Sequence[str], optional: Sequence[str]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The line and the cells by column of each row; empty rows and those of `#` are left out.

    Raises GraphProblem with the line of the first mistake.
    """
    columns: list[str] | None = None
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in _cells(line, number)]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if columns is None:
            columns = _header(cells, number, required, optional)
            continue
        if len(cells) != len(columns):
            message = f"{len(cells)} cells under {len(columns)} columns"
            raise GraphProblem(f"{message}: {', '.join(columns)}", number)
        yield number, dict(zip(columns, cells, strict=True))
    if columns is None:
        raise GraphProblem(f"the file is empty; its first line must hold {', '.join(required)}")


def _cells(line: str, number: int) -> list[str]:
    # A row is one line, so that a quotation mark that is not closed does not take the whole file.
    if '"' not in line:
        return line.split(",")
    try:
        return next(csv.reader([line], strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise GraphProblem(f"not a line of a CSV file: {error}", number) from None


def _header(
    cells: list[str], line: int, required: Sequence[str], optional: Sequence[str]
) -> list[str]:
    known = (*required, *optional)
    for name, sign in _OTHER_SEPARATORS.items():
        if len(cells) == 1 and sign in cells[0]:
            raise GraphProblem(f"columns are separated by {name}, must be by commas", line)
    for name in cells:
        if name not in known:
            raise GraphProblem(unknown("column", name, known), line)
        if cells.count(name) > 1:
            raise GraphProblem(f"the column '{name}' occurs twice", line)
    if missing := [name for name in required if name not in cells]:
        raise GraphProblem(f"the column '{missing[0]}' is missing", line)
    return cells

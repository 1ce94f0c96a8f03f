"""Edge lists: CSV files with a line for each link."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from weft.config.graphs.link_row import OPTIONAL, REQUIRED, LinkRow
from weft.config.graphs.model import GraphProblem, Link, LinkList
from weft.config.language.errors import unknown


def read_edge_list(text: str) -> LinkList:
    """The links of a CSV text with the columns `from` and `to`, and any of `OPTIONAL`.

    Raises GraphProblem with the line of the first mistake.
    """
    return LinkList(tuple(_links(text)))


def _links(text: str) -> Iterator[Link]:
    columns: list[str] | None = None
    for number, cells in _numbered(text):
        cells = [cell.strip() for cell in cells]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if columns is None:
            columns = _header(cells, number)
            continue
        if len(cells) != len(columns):
            message = f"{len(cells)} cells under {len(columns)} columns"
            raise GraphProblem(f"{message}: {', '.join(columns)}", number)
        yield from LinkRow(dict(zip(columns, cells, strict=True)), number).links()
    if columns is None:
        raise GraphProblem(f"the file is empty; its first line must hold {', '.join(REQUIRED)}")


def _numbered(text: str) -> Iterator[tuple[int, list[str]]]:
    rows = csv.reader(StringIO(text, newline=""), strict=True, skipinitialspace=True)
    try:
        for cells in rows:
            yield rows.line_num, cells
    except csv.Error as error:
        raise GraphProblem(f"this is no line of a CSV file: {error}", rows.line_num) from None


def _header(cells: list[str], line: int) -> list[str]:
    known = (*REQUIRED, *OPTIONAL)
    for name in cells:
        if name not in known:
            raise GraphProblem(unknown("column", name, known), line)
        if cells.count(name) > 1:
            raise GraphProblem(f"the column '{name}' stands twice", line)
    if missing := [name for name in REQUIRED if name not in cells]:
        raise GraphProblem(f"the column '{missing[0]}' is missing", line)
    if ("from_port" in cells) != ("to_port" in cells):
        raise GraphProblem("give both from_port and to_port, or neither", line)
    return cells

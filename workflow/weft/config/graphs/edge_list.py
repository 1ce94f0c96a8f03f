"""Edge lists: CSV files with a line for each link."""

from __future__ import annotations

from collections.abc import Iterator

from weft.config.graphs.csv_rows import csv_rows
from weft.config.graphs.link_row import OPTIONAL, REQUIRED, LinkRow
from weft.config.graphs.model import GraphProblem, Link, LinkList


def read_edge_list(text: str) -> LinkList:
    """The links of a CSV text with the columns `from` and `to`, and any of `OPTIONAL`.

    Raises GraphProblem with the line of the first mistake.
    """
    return LinkList(tuple(_links(text)))


def _links(text: str) -> Iterator[Link]:
    for line, cells in csv_rows(text, REQUIRED, OPTIONAL):
        if ("from_port" in cells) != ("to_port" in cells):
            raise GraphProblem("give both from_port and to_port, or neither", line)
        yield from LinkRow(cells, line).links()

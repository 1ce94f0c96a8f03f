"""Edge lists: CSV files with a line for each link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weft.config.graphs.csv_rows import csv_rows
from weft.config.graphs.link_count import LinkCount
from weft.config.graphs.link_row import OPTIONAL, REQUIRED, LinkRow
from weft.config.graphs.model import GraphProblem, Link, LinkList


def read_edge_list(lines: Iterable[str]) -> LinkList:
    """The links of CSV lines with the columns `from` and `to`, and any of `OPTIONAL`.

    Raises GraphProblem with the line of the first mistake.
    """
    return LinkList(tuple(_links(lines)))


def _links(lines: Iterable[str]) -> Iterator[Link]:
    count = LinkCount()
    for line, cells in csv_rows(lines, REQUIRED, OPTIONAL):
        if ("from_port" in cells) != ("to_port" in cells):
            raise GraphProblem("give both from_port and to_port, or neither", line)
        links = LinkRow(cells, line).links()
        count.add(links)
        yield from links

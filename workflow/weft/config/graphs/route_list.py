"""Tables of routes as CSV: a line for each switch and node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weft.config.graphs.csv_rows import csv_rows
from weft.config.graphs.link_row import port_number
from weft.config.graphs.model import GraphProblem
from weft.config.graphs.route_model import RouteEntry

REQUIRED = ("switch", "node")
HOW = ("port", "next")


def read_route_list(lines: Iterable[str]) -> Iterator[RouteEntry]:
    """The entries of CSV lines with the columns `switch`, `node` and either `port` or `next`.

    Raises GraphProblem with the line of the first mistake.
    """
    found = False
    for line, cells in csv_rows(lines, REQUIRED, HOW):
        if empty := [name for name in REQUIRED if not cells[name]]:
            raise GraphProblem(f"'{empty[0]}' is empty", line)
        port, onward = cells.get("port"), cells.get("next")
        if bool(port) == bool(onward):
            raise GraphProblem("give either a port or the name of the next switch or node", line)
        try:
            number = port_number(port) if port else None
        except ValueError as error:
            raise GraphProblem(f"port is '{port}': {error}", line) from None
        found = True
        yield RouteEntry(cells["switch"], cells["node"], line, number, onward or None)
    if not found:
        raise GraphProblem("the file holds no entry")

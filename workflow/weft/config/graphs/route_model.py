"""RouteNumbers of a file: at each switch, the port that leads to each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RouteEntry:
    """At `switch`, packets for `node` leave by `port`, or towards `onward`; both by their names.

    `port` is the number that the graph file gives it. `line` counts from 1.
    """

    switch: str
    node: str
    line: int
    port: int | None = None
    onward: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RouteNumbers:
    """Entries with the numbers that a graph gives: switches and ports count from 0.

    They stand by their nodes, and then by their switches. `lines` are those of the file.
    """

    switches: Sequence[int]
    nodes: Sequence[int]
    ports: Sequence[int]
    lines: Sequence[int]

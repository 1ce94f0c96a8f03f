"""Switches with more links or nodes than an engine's routers can have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from weft.config.graphs.model import Graph, GraphChannel, GraphProblem


def check_width(graph: Graph, most_links: int, most_nodes: int, whose: str) -> None:
    """Refuse a graph whose switches no routers of `whose` can be.

    Raises GraphProblem with the line of the first link that is too many.
    """
    to_nodes = (each for each in graph.channels if each.end < len(graph.nodes))
    _check(graph, graph.between_switches(), most_links, "links to other switches", whose)
    _check(graph, to_nodes, most_nodes, "nodes", whose)


def _check(
    graph: Graph, channels: Iterable[GraphChannel], most: int, what: str, whose: str
) -> None:
    in_order = sorted(channels, key=lambda channel: channel.line)
    counts = Counter(each.start for each in in_order)
    taken: Counter[int] = Counter()
    for each in in_order:
        taken[each.start] += 1
        if taken[each.start] > most:
            name = graph.switches[each.start - len(graph.nodes)]
            has = f"{name} has {counts[each.start]} {what}"
            message = f"{has}, must have at most {most} for {whose}"
            raise GraphProblem(message, each.line or None)

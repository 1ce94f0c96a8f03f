"""Whether every node of a graph reaches every other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from weft.config.graphs.model import Graph, GraphProblem


def check_connected(graph: Graph) -> None:
    """Raises GraphProblem with two nodes, the first of which cannot reach the second, at the line
    of the second."""
    size = len(graph.nodes)
    sends_to = {each.start: each.end for each in graph.channels if each.start < size}
    receives_from = {each.end: each.start for each in graph.channels if each.end < size}
    onward: dict[int, list[int]] = defaultdict(list)
    backward: dict[int, list[int]] = defaultdict(list)
    for each in graph.between_switches():
        onward[each.start].append(each.end)
        backward[each.end].append(each.start)
    starts = list(dict.fromkeys(sends_to.values()))
    if (first := sends_to[0]) == receives_from[0]:
        # A node that reaches the first switch reaches everything that this switch reaches.
        reaching = _reached(backward, first)
        starts = [first, *(each for each in starts if each not in reaching)][:2]
    for start in starts:
        reached = _reached(onward, start)
        for node in range(size):
            if receives_from[node] not in reached:
                source = next(each for each in range(size) if sends_to[each] == start)
                names = f"{graph.nodes[source]} to {graph.nodes[node]}"
                line = next(each.line for each in graph.channels if each.end == node)
                message = f"no path leads from {names}; every node must reach every other"
                raise GraphProblem(message, line or None)


def _reached(onward: Mapping[int, Sequence[int]], start: int) -> set[int]:
    reached, waiting = {start}, [start]
    while waiting:
        for end in onward.get(waiting.pop(), ()):
            if end not in reached:
                reached.add(end)
                waiting.append(end)
    return reached

"""Channels that wait for each other in a circle, where packets follow a table of routes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from weft.config.graphs.model import Graph, GraphProblem
from weft.config.graphs.read import ReadGraph
from weft.config.graphs.route_model import RouteNumbers

#: Channels of a circle that a message names.
_MOST_NAMED = 16

#: A channel by its switch and its port, both counted from 0.
_Hop = tuple[int, int]
#: Behind each hop the hops that packets take next, each with the line of its entry.
_Waits = dict[_Hop, dict[_Hop, int]]


def check_circles(read: ReadGraph, whose: str) -> None:
    """Refuse routes of a file by which packets of `whose` can wait for each other for ever.

    A packet holds a channel while it waits for the next one of its way, so routes cannot deadlock
    where these dependencies have no circle (Dally and Seitz, 1987). All packets share one class of
    virtual channels, as the file of a table has none.

    Raises GraphProblem with the line of an entry of the circle, and with the channels in it.
    """
    waits, circle = _circle(read)
    graph = read.graph
    if not circle:
        return
    first = len(graph.nodes)
    names = {(each.start - first, each.start_port): each.name for each in graph.channels}
    rest = len(circle) - _MOST_NAMED
    steps = zip([*circle[-1:], *circle[:-1]], circle, strict=True)
    named = [
        f"{names[hop]} (line {waits[before][hop]})" for before, hop in islice(steps, _MOST_NAMED)
    ]
    more = [f"{rest} more"] if rest > 0 else []
    raise GraphProblem(
        f"the routes can deadlock in {whose}: each of these channels waits for the next, and the "
        f"last for the first: {', '.join([*named, *more])}; change the table, or leave the routes "
        "to weft with another topology.routing",
        waits[circle[-1]][circle[0]],
    )


@lru_cache(maxsize=16)
def _circle(read: ReadGraph) -> tuple[_Waits, Sequence[_Hop]]:
    """What waits for what, and a circle of it; empty if there is none."""
    waits = {} if read.routes is None else _waits(read.graph, read.routes)
    return waits, _shortest(waits)


def _waits(graph: Graph, routes: RouteNumbers) -> _Waits:
    first = len(graph.nodes)
    ends = {
        (each.start - first, each.start_port): each.end - first for each in graph.between_switches()
    }
    sources = {each.end - first for each in graph.channels if each.start < first}
    found: _Waits = {}
    for ports in _by_node(routes):
        seen: set[int] = set()
        for source in sources:
            at, before = source, None
            while True:
                port, line = ports[at]
                hop = (at, port)
                if hop not in ends:
                    break
                if before is not None:
                    found.setdefault(before, {}).setdefault(hop, line)
                if at in seen:
                    break
                seen.add(at)
                at, before = ends[hop], hop
    return found


def _by_node(routes: RouteNumbers) -> Iterator[Mapping[int, tuple[int, int]]]:
    """For each node: the port of each switch, and the line of its entry. Nodes stand in order."""
    node, ports = None, dict[int, tuple[int, int]]()
    entries = zip(routes.switches, routes.nodes, routes.ports, routes.lines, strict=True)
    for switch, each, port, line in entries:
        if each != node and ports:
            yield ports
            ports = {}
        node, ports[switch] = each, (port, line)
    yield ports


def _shortest(waits: _Waits) -> Sequence[_Hop]:
    """A circle: the shortest one through a hop that is in one."""
    start = _in_circle(waits)
    if start is None:
        return ()
    came: dict[_Hop, _Hop] = {}
    queue = [start]
    for hop in queue:
        for after in waits.get(hop, {}):
            if after == start:
                circle = [hop]
                while circle[-1] != start:
                    circle.append(came[circle[-1]])
                return circle[::-1]
            if after not in came:
                came[after] = hop
                queue.append(after)
    raise AssertionError("a hop of a circle reaches itself")


def _in_circle(waits: _Waits) -> _Hop | None:
    """A hop of a circle: the first, in their order, that is reached once all others have gone on
    that can (Kahn, 1962)."""
    before: dict[_Hop, list[_Hop]] = {}
    for hop, behind in waits.items():
        for after in behind:
            before.setdefault(after, []).append(hop)
    left = {hop: len(waits.get(hop, {})) for hop in {*waits, *before}}
    free = [hop for hop, count in left.items() if count == 0]
    for hop in free:
        for earlier in before.get(hop, ()):
            left[earlier] -= 1
            if left[earlier] == 0:
                free.append(earlier)
    stuck = {hop for hop, count in left.items() if count > 0}
    if not stuck:
        return None
    at, seen = min(stuck), set[_Hop]()
    while at not in seen:
        seen.add(at)
        at = min(each for each in waits[at] if each in stuck)
    return at

"""Whether the entries of a table are routes through a graph: complete, and without loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from weft.config.graphs.model import Graph, GraphChannel, GraphProblem
from weft.config.graphs.route_model import RouteEntry, RouteNumbers
from weft.config.language.errors import unknown


def routes_of(graph: Graph, entries: Iterable[RouteEntry]) -> RouteNumbers:
    """The entries with the graph's numbers.

    Raises GraphProblem, with the line where one is to blame: names and ports that the graph does
    not have, an entry that occurs twice, a switch that a route reaches without an entry, and a
    loop.
    """
    finder = _Finder.of(graph)
    #: By node and switch.
    hops: dict[int, dict[int, _Hop]] = {node: {} for node in range(len(graph.nodes))}
    last: dict[int, int] = {}
    # Where adapters share a name, their identifier stands behind it; tables have the name alone.
    gone = {name.split(" (", 1)[0] for name in graph.left_out} - {*graph.nodes}
    for entry in entries:
        if entry.node in gone:
            continue
        node, switch = finder.node(entry), finder.switch(entry)
        if switch in hops[node]:
            first = hops[node][switch].line
            message = f"the way from {entry.switch} to {entry.node} is in line {first} already"
            raise GraphProblem(message, entry.line)
        hops[node][switch] = _Hop(finder.channel(entry, switch), entry.line)
        last[switch] = entry.line
    sources = dict.fromkeys(each.end for each in graph.channels if each.start < len(graph.nodes))
    for node, by_switch in hops.items():
        _follow(graph, node, by_switch, sources, last)
    found = [
        (switch - len(graph.nodes), node, hop.channel.start_port, hop.line)
        for node, by_switch in hops.items()
        for switch, hop in sorted(by_switch.items())
    ]
    return RouteNumbers(*([each[part] for each in found] for part in range(4)))


@dataclass(frozen=True, slots=True)
class _Hop:
    channel: GraphChannel
    line: int


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds numbers by names."""

    graph: Graph
    nodes: Mapping[str, int]
    switches: Mapping[str, int]
    #: By switch and port.
    by_port: Mapping[tuple[int, int], GraphChannel]
    #: By both ends; the first of several.
    by_ends: Mapping[tuple[int, int], GraphChannel]

    @staticmethod
    def of(graph: Graph) -> _Finder:
        nodes = {name: number for number, name in enumerate(graph.nodes)}
        switches = {name: number for number, name in enumerate(graph.switches, len(graph.nodes))}
        by_port = {(each.start, each.start_port): each for each in graph.channels}
        by_ends = {(each.start, each.end): each for each in reversed(graph.channels)}
        return _Finder(graph, nodes, switches, by_port, by_ends)

    def node(self, entry: RouteEntry) -> int:
        if entry.node not in self.nodes:
            raise GraphProblem(_not_there("node", entry.node, self.nodes), entry.line)
        return self.nodes[entry.node]

    def switch(self, entry: RouteEntry) -> int:
        if entry.switch not in self.switches:
            raise GraphProblem(_not_there("switch", entry.switch, self.switches), entry.line)
        return self.switches[entry.switch]

    def channel(self, entry: RouteEntry, switch: int) -> GraphChannel:
        if entry.port is None:
            end = self.switches.get(entry.onward or "", self.nodes.get(entry.onward or "", -1))
            channel = self.by_ends.get((switch, end))
            what = f"no link to {entry.onward}"
        else:
            numbers = self.graph.file_ports.get(entry.switch)
            port = entry.port if numbers is None else numbers.get(entry.port, -1)
            channel, what = self.by_port.get((switch, port)), f"no link at port {entry.port}"
        if channel is None:
            raise GraphProblem(f"{entry.switch} has {what}", entry.line)
        if channel.end < len(self.nodes) and channel.end != self.nodes[entry.node]:
            other = self.graph.nodes[channel.end]
            message = f"the way from {entry.switch} to {entry.node} ends at {other}"
            raise GraphProblem(message, entry.line)
        return channel


def _not_there(what: str, name: str, known: Mapping[str, int]) -> str:
    return unknown(what, name, known)


def _follow(
    graph: Graph,
    node: int,
    hops: Mapping[int, _Hop],
    sources: Mapping[int, None],
    last: Mapping[int, int],
) -> None:
    """Every switch with nodes reaches `node`; `last` is the line of each switch's last entry."""
    name = graph.nodes[node]
    arrives: set[int] = {node}
    for source in sources:
        way: dict[int, None] = {}
        at = source
        while at not in arrives:
            switch = graph.switches[at - len(graph.nodes)]
            if at in way:
                loop = [*[*way][[*way].index(at) :], at]
                names = " > ".join(graph.switches[each - len(graph.nodes)] for each in loop)
                raise GraphProblem(f"the way to {name} is a loop: {names}", hops[at].line)
            if at not in hops:
                message = f"{switch} has no entry for {name}"
                if at not in last:
                    raise GraphProblem(f"{message}, nor for any other node")
                raise GraphProblem(f"{message}; its last entry is in this line", last[at])
            way[at] = None
            at = hops[at].channel.end
        arrives.update(way)

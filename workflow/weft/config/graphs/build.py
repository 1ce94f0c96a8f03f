"""From the links of a file to a network: the ports that cables take, and what is wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from weft.config.graphs.connected import check_connected
from weft.config.graphs.model import Graph, GraphChannel, GraphProblem, Link, LinkEnd, LinkList
from weft.config.graphs.naming import NodeRule, left_out, names_of_own, nodes_and_switches
from weft.config.graphs.rails import with_rails

#: As of the topologies of the catalogue.
INJECTION, EJECTION = "injection", "ejection"
_ONE_WAY = 'one_way of an edge list, directed or edgedefault="directed" of GraphML'
_SEPARATORS = {",", '"', "\n"}


def build(listed: LinkList, rule: NodeRule) -> Graph:
    """The network of a file.

    Raises GraphProblem, with a line where one is to blame: links of a name with itself or of two
    nodes, names without a link, ports used twice, parts that are not joined.
    """
    if not listed.links:
        raise GraphProblem("the file lists no link")
    lines = _first_lines(listed)
    gone = left_out(listed, rule)
    listed = _without(listed, gone)
    hosts, switches = nodes_and_switches(listed, rule)
    _check_ends(listed, frozenset(hosts))
    nodes, rails, named = with_rails(hosts, [*listed.links, *_links_of_own(switches, rule)])
    places = {name: number for number, name in enumerate([*nodes, *switches])}
    links = _in_order(named, places)
    wiring = _Wiring(places, len(nodes))
    channels = tuple(wiring.channels(links))
    graph = Graph(nodes, switches, channels, wiring.file_ports, hosts, rails, gone)
    _check_nodes(graph, lines)
    check_connected(graph)
    return graph


def _without(listed: LinkList, gone: frozenset[str]) -> LinkList:
    if not gone:
        return listed
    links = [link for link in listed.links if gone.isdisjoint(end.name for end in link.ends)]
    places = tuple(place for place in listed.places if place[0] not in gone)
    return LinkList(links, listed.nodes - gone, listed.switches, places)


def _first_lines(listed: LinkList) -> dict[str, int]:
    """The line of each name's first link, or of its declaration.

    Raises GraphProblem for a link of a name with itself, and for a node without a link.
    """
    lines: dict[str, int] = {}
    for link in listed.links:
        if link.start.name == link.end.name:
            message = f"the link joins {link.start.name} with itself; its ends must be two"
            raise GraphProblem(message, link.line)
        for end in link.ends:
            if {*end.name} & _SEPARATORS:
                message = f"the name {end.name!r} holds a comma or a quotation mark"
                raise GraphProblem(f"{message}, which separate values in tables", link.line)
            lines.setdefault(end.name, link.line)
    for name, line in listed.places:
        if name not in lines and name not in listed.switches:
            raise GraphProblem(f"{name} has no link; a node needs one or more", line)
    return {**lines, **dict(listed.places)}


def _check_ends(listed: LinkList, nodes: frozenset[str]) -> None:
    """No link joins two nodes; they have the names of the file here, not yet those of rails."""
    for link in listed.links:
        if link.start.name in nodes and link.end.name in nodes:
            both = f"{link.start.name} and {link.end.name}"
            raise GraphProblem(f"the link joins the nodes {both}; put a switch between", link.line)


def _in_order(links: Sequence[Link], places: Mapping[str, int]) -> list[Link]:
    """The links in an order that depends on the network alone, not on the order of the file."""

    def key(link: Link) -> tuple[object, ...]:
        ends = ((places[end.name], -1 if end.port is None else end.port) for end in link.ends)
        speed = (link.bandwidth_bytes_per_s or 0.0, link.latency_s or 0.0)
        return (*ends, *speed, link.link_class, link.one_way)

    return sorted((_upward(link, places) for link in links), key=key)


def _upward(link: Link, places: Mapping[str, int]) -> Link:
    """A link of both directions from its lower number to its higher one."""
    if link.one_way or places[link.start.name] < places[link.end.name]:
        return link
    return replace(link, start=link.end, end=link.start)


def _links_of_own(switches: Sequence[str], rule: NodeRule) -> Iterator[Link]:
    for switch in switches:
        for name in names_of_own(switch, rule.per_switch or 0):
            yield Link(LinkEnd(name), LinkEnd(switch), 0)


def _check_nodes(graph: Graph, lines: Mapping[str, int]) -> None:
    """Every node, or rail of one, has a channel out and one in."""
    out = Counter(each.start for each in graph.channels)
    into = Counter(each.end for each in graph.channels)
    for node, name in enumerate(graph.nodes):
        line = lines.get(name)
        if out[node] != into[node]:
            way = "into" if out[node] else "out of"
            message = f"no link leads {way} the node {name}; its link is one way: {_ONE_WAY}"
            raise GraphProblem(message, line)


@dataclass(slots=True)
class _Wiring:
    """Gives every end of a link its port."""

    places: Mapping[str, int]
    nodes: int
    #: By switch: the lowest port that was not given away.
    _next_port: Counter[str] = field(default_factory=Counter)
    file_ports: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    _names: Counter[str] = field(default_factory=Counter)

    def channels(self, links: Sequence[Link]) -> Iterator[GraphChannel]:
        """Both directions of each link, in the order of the links."""
        self._collect_ports(links)
        for link in links:
            ends = (self._end(link.start, link), self._end(link.end, link))
            yield self._channel(link, ends, (link.start.name, link.end.name))
            if not link.one_way:
                yield self._channel(link, ends[::-1], (link.end.name, link.start.name))

    def _collect_ports(self, links: Sequence[Link]) -> None:
        """Number the ports that the file gives from 0 for each switch, in their order."""
        given: dict[str, dict[int, int]] = defaultdict(dict)
        for link in links:
            for end in link.ends:
                if end.port is None or self.places[end.name] < self.nodes:
                    continue
                if end.port in given[end.name] and not link.one_way:
                    first = given[end.name][end.port]
                    message = f"port {end.port} of {end.name} is in line {first} already"
                    raise GraphProblem(message, link.line)
                given[end.name][end.port] = link.line
        for name, ports in given.items():
            self.file_ports[name] = {port: place for place, port in enumerate(sorted(ports))}

    def _end(self, end: LinkEnd, link: Link) -> tuple[int, int]:
        """The number of an end and its port."""
        number = self.places[end.name]
        if number < self.nodes:
            return number, 0
        known = self.file_ports.get(end.name)
        if known is not None and end.port is None:
            message = f"this link has no port on {end.name}, but others have"
            raise GraphProblem(message, link.line)
        if known is not None and end.port is not None:
            return number, known[end.port]
        self._next_port[end.name] += 1
        return number, self._next_port[end.name] - 1

    def _channel(
        self, link: Link, ends: Sequence[tuple[int, int]], names: tuple[str, str]
    ) -> GraphChannel:
        (start, start_port), (end, end_port) = ends
        kind = (
            INJECTION if start < self.nodes else EJECTION if end < self.nodes else link.link_class
        )
        name = " > ".join(names)
        self._names[name] += 1
        if self._names[name] > 1:
            name += f" #{self._names[name]}"
        speed = (link.bandwidth_bytes_per_s, link.latency_s)
        return GraphChannel(start, start_port, end, end_port, *speed, kind, name, link.line)

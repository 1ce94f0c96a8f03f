"""Rails: a node with several links becomes an end of the network for each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.config.graphs.model import GraphProblem, Link, LinkEnd
from weft.config.graphs.naming import natural


def with_rails(
    nodes: Sequence[str], links: Sequence[Link]
) -> tuple[Sequence[str], tuple[int, ...], Sequence[Link]]:
    """The nodes with their rails in place, how many each has, and the links of these.

    The rails of `cn1` are `cn1:0`, `cn1:1` and so on, in the order of the node's ports, or else of
    the switches that they lead to. Raises GraphProblem where such a name is taken, and for a rail
    of one direction.
    """
    places = _of_nodes(nodes, links)
    names = {place: f"{node}:{rail}" for node, own in places.items() for rail, place in own}
    if not names:
        return nodes, (), links
    found = [name for node in nodes for name in _rails(node, places)]
    counts = tuple(len(places.get(node, ())) or 1 for node in nodes)
    known = {end.name for link in links for end in link.ends}
    if taken := sorted(known.intersection(names.values())):
        raise GraphProblem(f"{taken[0]} is the name of a rail here; give it another name")
    return found, counts, [_renamed(link, at, names) for at, link in enumerate(links)]


def _of_nodes(
    nodes: Sequence[str], links: Sequence[Link]
) -> Mapping[str, list[tuple[int, tuple[int, int]]]]:
    """Of every node with several links: its rails, each with place and end of its link."""
    wanted = frozenset(nodes)
    ends: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for at, link in enumerate(links):
        for side, end in enumerate(link.ends):
            if end.name in wanted:
                ends[end.name].append((at, side))
    several = {node: own for node, own in ends.items() if _is_several(links, own)}
    for node, own in several.items():
        for at, _ in own:
            if links[at].one_way:
                message = f"the node {node} has several links, so each must lead both ways"
                raise GraphProblem(message, links[at].line)
        own.sort(key=lambda place: _order(links[place[0]], place[1]))
    return {node: list(enumerate(own)) for node, own in several.items()}


def _is_several(links: Sequence[Link], own: Sequence[tuple[int, int]]) -> bool:
    """Whether they are more than a link, or than one each way."""
    ways = [side for at, side in own if links[at].one_way]
    is_one = sorted(ways) == [0, 1] and len(own) == 2
    return len(own) > 1 and not is_one


def _order(link: Link, side: int) -> tuple[object, ...]:
    own, other = link.ends[side], link.ends[1 - side]
    speed = (link.bandwidth_bytes_per_s or 0.0, link.latency_s or 0.0)
    port = -1 if own.port is None else own.port
    return (port, natural(other.name), -1 if other.port is None else other.port, *speed)


def _rails(node: str, places: Mapping[str, list[tuple[int, tuple[int, int]]]]) -> list[str]:
    return [f"{node}:{rail}" for rail, _ in places.get(node, ())] or [node]


def _renamed(link: Link, at: int, names: Mapping[tuple[int, int], str]) -> Link:
    start, end = (
        LinkEnd(names.get((at, side), each.name), each.port) for side, each in enumerate(link.ends)
    )
    return replace(link, start=start, end=end)

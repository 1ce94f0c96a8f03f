"""Nodes in the picture of a network: each on its own, or those of a router together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, pi, radians, sin

import numpy as np
from scipy.spatial import KDTree

from weft.report.data.natural_order import natural
from weft.report.kinds.network.layout import Positions
from weft.report.kinds.network.rows import EJECTION, INJECTION, BusyLink, BusyNetwork

#: With more nodes, those of a router are drawn as one.
MOST_NODES = 128
#: How far below their routers they stand, in lines of a picture by levels.
_DROP = 0.55
#: Shares of the way from a router to the nearest other one.
_NEAR, _AT_GRID = 0.4, 0.32
_STEP, _WHOLE = radians(40), radians(320)


@dataclass(frozen=True, slots=True)
class NodeMarks:
    """What is drawn for nodes: their links with the names of marks as ends, and a place each.

    `counts` has how many nodes a mark stands for.
    """

    links: Sequence[BusyLink]
    places: Positions
    counts: Mapping[str, int]


def node_marks(network: BusyNetwork, routers: Positions, levels: bool, grid: bool) -> NodeMarks:
    """Marks for the nodes of a network whose routers have the places `routers`.

    In a picture by `levels` they stand below, elsewhere round their routers; in a `grid` beside the
    links along its axes.
    """
    own = [each for each in network.links if each.link_class in (INJECTION, EJECTION)]
    together = len(network.nodes) > MOST_NODES
    if together:
        own = _together(own)
    at = {_node(each): _router(each) for each in sorted(own, key=_receives)}
    if levels and not together:
        places = _below(at, routers)
    else:
        places = _beside(at, routers, network.between, levels, grid)
    counts = Counter(network.nodes.values())
    return NodeMarks(own, places, {mark: counts[r] if together else 1 for mark, r in at.items()})


def _node(link: BusyLink) -> str:
    return link.source if link.link_class == INJECTION else link.target


def _router(link: BusyLink) -> str:
    return link.target if link.link_class == INJECTION else link.source


def _receives(link: BusyLink) -> bool:
    """A node that sends to one router and receives from another stands at the first."""
    return link.link_class == INJECTION


def _together(links: Sequence[BusyLink]) -> list[BusyLink]:
    """The same links between routers and all of their nodes; a single node keeps its name."""
    of: dict[str, set[str]] = defaultdict(set)
    for each in links:
        of[_router(each)].add(_node(each))
    found = []
    for each in links:
        router = _router(each)
        name = f"nodes of {router}" if len(of[router]) > 1 else _node(each)
        sends = each.link_class == INJECTION
        found.append(replace(each, source=name) if sends else replace(each, target=name))
    return found


def _below(at: Mapping[str, str], routers: Positions) -> Positions:
    """A line over the whole width, in the order of the routers."""
    order = sorted(at, key=lambda node: (routers[at[node]], natural(node)))
    bottom = min(y for _, y in routers.values()) - _DROP
    return {node: ((place + 0.5) / len(order), bottom) for place, node in enumerate(order)}


def _beside(
    at: Mapping[str, str],
    routers: Positions,
    between: Sequence[BusyLink],
    levels: bool,
    grid: bool,
) -> Positions:
    reach = _reach(routers, _AT_GRID if grid else _NEAR)
    away = {} if grid else _away(routers, between)
    nodes: dict[str, list[str]] = defaultdict(list)
    for node in sorted(at, key=natural):
        nodes[at[node]].append(node)
    found: Positions = {}
    for router, own in nodes.items():
        x, y = routers[router]
        if levels:
            found |= dict.fromkeys(own, (x, y - _DROP / 2))
            continue
        middle = away.get(router, pi / 4)
        for node, angle in zip(own, _angles(len(own), middle, grid), strict=True):
            found[node] = (x + reach[router] * cos(angle), y + reach[router] * sin(angle))
    return found


def _reach(routers: Positions, share: float) -> dict[str, float]:
    """How far from each router its nodes stand."""
    if len(routers) < 2:
        return dict.fromkeys(routers, 1.0)
    places = np.array(list(routers.values()))
    far = np.asarray(KDTree(places).query(places, k=2)[0])
    return {name: float(each) for name, each in zip(routers, share * far[:, 1], strict=True)}


def _away(routers: Positions, between: Sequence[BusyLink]) -> dict[str, float]:
    """The direction from each router's neighbours, where its nodes hide few links."""
    beside: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in between:
        beside[each.source].append(routers[each.target])
    found = {}
    for router, others in beside.items():
        x, y = routers[router]
        dx = x - sum(other[0] for other in others) / len(others)
        dy = y - sum(other[1] for other in others) / len(others)
        found[router] = atan2(dy, dx)
    return found


def _angles(count: int, middle: float, grid: bool) -> Iterator[float]:
    step = 2 * pi / count if grid else min(_STEP, _WHOLE / count)
    first = middle if grid else middle - step * (count - 1) / 2
    return (first + step * place for place in range(count))

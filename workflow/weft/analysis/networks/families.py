"""Facts in closed form, by families of networks.

Which topology is of which family, `families.yaml` says. Numbers of switches, cables and ports
follow from the definitions. Bisections are from the literature:

- rows and rings: Arjona Aroca and Fernández Anta, Bisection (band)width of product networks with
  application to data centers, IEEE TPDS 25 (2014)
- cliques: Nakano, Linear layout of generalized hypercubes, Int. J. Found. Comput. Sci. 14 (2003)
- trees: they can route every permutation, so no cut is smaller than the smaller half of the nodes
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from math import prod
from operator import mul
from pathlib import Path

import yaml

from weft.analysis.networks.facts import HalvesCut, NetworkFacts, NodeDistances

_FILE = Path(__file__).with_name("families.yaml")


def family_facts(topology: Mapping[str, object]) -> NetworkFacts | None:
    """Facts of a whole topology of the catalogue by the keys of its spec.

    None of a topology that is of no family, such as one from a file, and of one without these keys.
    """
    described = dict(_families().get(str(topology.get("kind")), {}))
    family = described.pop("family", None)
    values = {
        name: topology.get(key) if isinstance(key, str) else key for name, key in described.items()
    }
    if family is None or None in values.values():
        return None
    return _FAMILIES[str(family)](**values)


@cache
def _families() -> Mapping[str, Mapping[str, object]]:
    found: Mapping[str, Mapping[str, object]] = yaml.safe_load(_FILE.read_text())
    return found


def _switch(nodes: int) -> NetworkFacts:
    """All nodes at one switch."""
    return NetworkFacts(nodes, 1, nodes, 0, nodes, distances=NodeDistances(0.0, 0))


def _rows(sizes: Sequence[int]) -> NetworkFacts:
    """A grid, with one node at each switch."""
    nodes = prod(sizes)
    cables = sum((size - 1) * nodes // size for size in sizes)
    ports = 1 + sum(min(size - 1, 2) for size in sizes)
    mean = sum((size**2 - 1) / (3 * size) for size in sizes)
    longest = sum(size - 1 for size in sizes)
    return NetworkFacts(
        nodes, nodes, nodes, cables, ports,
        distances=_of_pairs(mean, longest, nodes),
        halves=HalvesCut(_across(sizes), nodes // 2),
    )  # fmt: skip


def _rings(sizes: Sequence[int]) -> NetworkFacts:
    """A grid whose rows close to rings; two cables join the switches of a ring of two."""
    nodes, dimensions = prod(sizes), len(sizes)
    mean = sum((size**2 - size % 2) / (4 * size) for size in sizes)
    longest = sum(size // 2 for size in sizes)
    return NetworkFacts(
        nodes, nodes, nodes, dimensions * nodes, 2 * dimensions + 1,
        distances=_of_pairs(mean, longest, nodes),
        halves=HalvesCut(2 * _across(sizes), nodes // 2),
    )  # fmt: skip


def _across(sizes: Sequence[int]) -> int:
    """Cables over the middle of a grid: a plane, with a step in it for each odd size before."""
    falling = sorted(sizes, reverse=True)
    planes = [prod(falling) // part for part in accumulate(falling, mul)]
    even = [place for place, size in enumerate(falling) if size % 2 == 0]
    return sum(planes[: even[0] + 1 if even else len(planes)])


def _cliques(size: int, dimensions: int, nodes: int) -> NetworkFacts:
    """A grid in which all switches of a row are joined directly."""
    switches = size**dimensions
    width = dimensions * (size - 1)
    mean = dimensions * (size - 1) / size
    across = size ** (dimensions + 1) // 4
    if size % 2:
        across = (size + 1) * (switches - 1) // 4
    return NetworkFacts(
        nodes * switches, switches, nodes * switches, switches * width // 2, nodes + width,
        distances=_of_pairs(mean, dimensions, nodes * switches),
        halves=HalvesCut(across, switches // 2 * nodes),
    )  # fmt: skip


def _tree(arity: int, levels: int) -> NetworkFacts:
    """Levels of equally many switches, each with as many links upwards as downwards."""
    nodes, above = arity**levels, levels - 1
    if not above:
        return _switch(nodes)
    far = sum(2 * height * (arity ** (height + 1) - arity**height) for height in range(levels))
    # Of an odd arity, one leaf stays whole on a side.
    smaller = (nodes - arity % 2 * arity) // 2
    return NetworkFacts(
        nodes, levels * arity**above, nodes, above * nodes, 2 * arity,
        distances=NodeDistances(far / (nodes - 1), 2 * above),
        halves=HalvesCut(smaller, smaller),
    )  # fmt: skip


def _stages(arity: int, count: int) -> NetworkFacts:
    """Stages of switches that packets cross one way, from the node's first one to its last one."""
    nodes = arity**count
    if count == 1:
        return _switch(nodes)
    # Half of the nodes send to the first stage; there, half of the links lead to the other half.
    halves = HalvesCut(nodes // 4, nodes // 2, "at_most") if not arity % 2 else None
    return NetworkFacts(
        nodes, count * nodes // arity, 2 * nodes, (count - 1) * nodes, 2 * arity,
        one_way=True,
        distances=NodeDistances(float(count - 1), count - 1),
        halves=halves,
    )  # fmt: skip


def _groups(nodes: int, switches: int, links: int) -> NetworkFacts:
    """Groups of joined switches, each pair of groups with one link; `links` lead from a switch to
    other groups, and `nodes` are at each.

    Ways have at most one link between groups, as the topology's own routes.
    """
    groups = switches * links + 1
    all_switches = groups * switches
    everyone = nodes * all_switches
    local, between = groups * switches * (switches - 1) // 2, groups * (groups - 1) // 2
    return NetworkFacts(
        everyone, all_switches, everyone, local + between, nodes + switches - 1 + links,
        distances=_over_groups(nodes, switches, links),
        halves=_between_groups(groups, nodes, switches, links),
    )  # fmt: skip


def _over_groups(nodes: int, switches: int, links: int) -> NodeDistances:
    """Of ways with one link between groups. Over a third group, some ways are shorter."""
    if switches == 1:
        return _of_pairs(links / (links + 1), 1, nodes * (links + 1))
    of_group = nodes * switches
    # One link between groups, and one within each unless the way begins or ends where that link is.
    far = (of_group * switches * links) * (3 - 2 / switches) + nodes * (switches - 1)
    mean = far / (of_group * (switches * links + 1) - 1)
    # So many links of each switch could reach all switches by two links.
    is_three = links < switches * (switches - 2) + 2
    return NodeDistances(mean, 3, "at_most", "exact" if is_three else "at_most")


def _between_groups(groups: int, nodes: int, switches: int, links: int) -> HalvesCut:
    """The cut between the first and the last groups; through the middle one of an odd number."""
    half, first = groups // 2, switches // 2
    if groups % 2 == 0:
        return HalvesCut(half**2, half * switches * nodes, "at_most", {"global": half**2})
    # The middle group's switches in order lead to the groups in order. Of an odd number, the one in
    # the middle is in the other half than the first half of its links.
    astray = links // 2 if switches % 2 else 0
    crossing = {"global": half**2 + astray, "local": first * (switches - first)}
    smaller = (half * switches + first) * nodes
    return HalvesCut(sum(crossing.values()), smaller, "at_most", crossing)


def _of_pairs(mean: float, longest: int, nodes: int) -> NodeDistances:
    """From the mean over all pairs, which counts each node with itself."""
    return NodeDistances(mean * nodes / (nodes - 1), longest)


_FAMILIES: Mapping[str, Callable[..., NetworkFacts]] = {
    "switch": _switch,
    "rows": _rows,
    "rings": _rings,
    "cliques": _cliques,
    "tree": _tree,
    "stages": _stages,
    "groups": _groups,
}

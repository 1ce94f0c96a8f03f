"""Which names of a file are nodes and which are switches, and their order."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase

from weft.config.graphs.model import GraphProblem, LinkList
from weft.config.language.errors import nearest

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class NodeRule:
    """Which names of a file are nodes.

    `names` are patterns like `cn*`. `per_switch` gives every name of the file, which is then a
    switch, so many nodes. Without either, the file decides, or, where it does not, a name with a
    single link is a node. With `names`, what the file calls a node and no pattern chooses is no
    part of the network: an adapter carries no traffic of others, so it cannot stand as a switch.
    """

    names: tuple[str, ...] = ()
    per_switch: int | None = None


def natural(name: str) -> tuple[tuple[int, int | str], ...]:
    """A key that sorts `node2` before `node10`."""
    parts = enumerate(_DIGITS.split(name))
    return tuple((1, int(part)) if place % 2 else (0, part) for place, part in parts)


def nodes_and_switches(listed: LinkList, rule: NodeRule) -> tuple[list[str], list[str]]:
    """The names of both in the order of their numbers: sorted, numbers in names as numbers.

    Raises GraphProblem where there are no nodes, no switches, or a pattern that matches nothing.
    """
    linked = {end.name for link in listed.links for end in link.ends}
    names = sorted(linked, key=natural)
    if rule.per_switch is not None:
        own = [name for each in names for name in names_of_own(each, rule.per_switch)]
        if twice := linked.intersection(own):
            raise GraphProblem(f"nodes_per_switch adds {min(twice)}, which the file has already")
        return own, names
    chosen = _nodes(names, listed, rule)
    nodes = [name for name in names if name in chosen]
    switches = [name for name in names if name not in chosen]
    if not nodes:
        raise GraphProblem(
            "no name has a single link, as a node has; give node_names, or nodes_per_switch"
        )
    if not switches:
        raise GraphProblem("all names are nodes; nodes are joined by switches")
    return nodes, switches


def left_out(listed: LinkList, rule: NodeRule) -> frozenset[str]:
    """The nodes of the file that the rule's `names` do not choose."""
    if not rule.names:
        return frozenset()
    return frozenset(name for name in listed.nodes if not _is_chosen(name, rule))


def _is_chosen(name: str, rule: NodeRule) -> bool:
    return any(fnmatchcase(name, each) for each in rule.names)


def names_of_own(switch: str, count: int) -> list[str]:
    """The names of the nodes that `nodes_per_switch` gives to a switch."""
    return [f"{switch}.{number}" for number in range(count)]


def _nodes(names: list[str], listed: LinkList, rule: NodeRule) -> set[str]:
    if rule.names:
        for each in rule.names:
            if not any(fnmatchcase(name, each) for name in names):
                raise GraphProblem(f"no name matches '{each}' of node_names{nearest(each, names)}")
        return {name for name in names if _is_chosen(name, rule)}
    if listed.nodes or listed.switches:
        return {*names} & listed.nodes
    outward, inward = Counter[str](), Counter[str]()
    for link in listed.links:
        outward[link.start.name] += 1
        inward[link.end.name] += 1
        if not link.one_way:
            outward[link.end.name] += 1
            inward[link.start.name] += 1
    return {name for name in names if max(outward[name], inward[name]) == 1}

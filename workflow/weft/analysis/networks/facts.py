"""The facts of a network that pages state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: How a number relates to the true one: a bound is the best one known, `about` a sample's mean.
Bound = Literal["exact", "at_most", "at_least", "about"]


@dataclass(frozen=True, slots=True)
class HalvesCut:
    """Where a network falls into two halves of its nodes, as equal as whole switches allow.

    `links` join the halves, each way. `nodes` is the number of nodes of the smaller half; one link
    for each of them is full bisection. `by_class` divides `links` where their speed may differ.
    Links that are not `alike` have speeds of their own.
    """

    links: int
    nodes: int
    links_are: Bound = "exact"
    by_class: Mapping[str, int] = field(default_factory=dict)
    alike: bool = True

    def share(self, speeds: Mapping[str, float], others: float = 1.0) -> float:
        """The share of full bisection: 1 if each node of a half can send to the other at full rate.

        `speeds` has the speed of a link by its class, `others` that of the rest, both relative to
        a link of a node.
        """
        rest = self.links - sum(self.by_class.values())
        own = sum(links * speeds.get(name, others) for name, links in self.by_class.items())
        return (own + rest * others) / self.nodes


@dataclass(frozen=True, slots=True)
class NodeDistances:
    """Links between switches on shortest ways between two different nodes; those of nodes do not
    count, as in the metric `hops_mean`. `longest` is the diameter."""

    mean: float
    longest: int
    mean_is: Bound = "exact"
    longest_is: Bound = "exact"


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """Parts and measures of a network; None is what is not known.

    Cables lead both ways, or one way each where `one_way`. `ports` are those of the largest switch,
    `all_ports` those of all switches; only ports that hold an end of a cable count. What failed is
    part of these numbers, as it was built and bought. Distances and the cut are those of what is
    left.
    """

    nodes: int | None
    switches: int | None = None
    node_cables: int | None = None
    switch_cables: int | None = None
    ports: int | None = None
    one_way: bool = False
    distances: NodeDistances | None = None
    halves: HalvesCut | None = None

    @property
    def all_ports(self) -> int | None:
        """Ends of cables at switches."""
        if self.node_cables is None or self.switch_cables is None:
            return None
        return self.node_cables + 2 * self.switch_cables

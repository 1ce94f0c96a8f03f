"""Topologies: the graph, the numbering of its nodes, and its routing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import prod
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from weft.config.language.section import Settings

Radix = Annotated[int, Field(ge=2)]
Count = Annotated[int, Field(ge=1)]
#: 2 to the power of more than these is more than the most nodes.
Power = Annotated[int, Field(ge=1, le=24)]
#: A larger network is a slip of the pen, not an experiment.
MAX_NODES = 1 << 24


class Topology(Settings, ABC):
    """Base of all topologies."""

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return prod(self.extents)

    @property
    @abstractmethod
    def extents(self) -> tuple[int, ...]:
        """Number of positions along each digit of a node's number, fastest first."""

    @model_validator(mode="after")
    def _not_endless(self) -> Topology:
        if len(self.extents) > 24 or self.node_count > MAX_NODES:
            raise ValueError(f"the topology has more than {MAX_NODES:,} nodes")
        return self

    def spec(self) -> dict[str, Any]:
        """As the base class, with the number of nodes."""
        return {**super().spec(), "nodes": self.node_count}


class FatTree(Topology):
    """A k-ary n-tree: k to the power of `levels` nodes, full bisection."""

    kind: Literal["fat_tree"]
    k: Radix
    """Down links of each switch."""
    levels: Power = 2
    """Levels of switches."""
    routing: Literal["dmodk", "smodk", "nca", "anca"] = "dmodk"
    """How the link upwards is chosen: by a digit of the destination (`dmodk`) or of the source
    (`smodk`), at random (`nca`), or as the freest of the switch (`anca`)."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first."""
        return (self.k,) * self.levels


class Grid(Topology):
    """Base of mesh and torus: either k and dimensions, or the size of each dimension."""

    k: Radix | None = None
    """Nodes along every dimension."""
    dimensions: Power | None = None
    """Number of dimensions; 2 unless `sizes` are given."""
    sizes: Annotated[list[Radix], Field(min_length=1)] | None = None
    """Nodes along each dimension, instead of `k` and `dimensions`."""

    @model_validator(mode="before")
    @classmethod
    def _one_way_to_say_it(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        by_k, by_sizes = given.get("k") is not None, given.get("sizes") is not None
        if by_k == by_sizes:
            raise ValueError("give either k (and dimensions) or sizes")
        if by_sizes and given.get("dimensions") is not None:
            raise ValueError("sizes say how many dimensions there are; leave out dimensions")
        return given

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first."""
        if self.sizes is not None:
            return tuple(self.sizes)
        return (self.k or 0,) * (self.dimensions or 2)

    def spec(self) -> dict[str, Any]:
        """As the base class; regular grids carry k, dimensions and sizes, others only sizes."""
        sizes = list(self.extents)
        regular = {"k": sizes[0], "dimensions": len(sizes)} if len(set(sizes)) == 1 else {}
        return {**super().spec(), "sizes": sizes, **regular}


class Mesh(Grid):
    """An n-dimensional mesh with dimension-order routing."""

    kind: Literal["mesh"]


class Torus(Grid):
    """An n-dimensional torus with dimension-order routing."""

    kind: Literal["torus"]
    ties: Literal["plus", "avoid_wrap", "simgrid", "random"] = "avoid_wrap"
    """Which way to go when both are equally long (half way round an even ring)."""


class Hypercube(Topology):
    """A binary hypercube: 2 to the power of `dimensions` nodes."""

    kind: Literal["hypercube"]
    dimensions: Power
    """Number of dimensions."""
    routing: Literal["e_cube", "minimal_adaptive"] = "e_cube"
    """Lowest dimension first, or any dimension that leads closer and is free."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first."""
        return (2,) * self.dimensions

    def spec(self) -> dict[str, Any]:
        """As the base class; the routing is told only where it is not the static one."""
        found = super().spec()
        if self.routing == "e_cube":
            del found["routing"]
        return found


class Fly(Topology):
    """A k-ary n-fly (butterfly): every packet passes one switch of each stage."""

    kind: Literal["fly"]
    k: Radix
    """Inputs, and outputs, of each switch."""
    stages: Power = 2
    """Stages of switches; k to the power of these is the number of nodes."""
    routing: Literal["destination_tag"] = "destination_tag"
    """The digits of the destination choose the outputs: there is one way only."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first."""
        return (self.k,) * self.stages


class FlattenedButterfly(Topology):
    """A flattened butterfly: k routers along each dimension, all of them joined with each other.

    Kim, Dally and Abts: Flattened butterfly, ISCA 2007.
    """

    kind: Literal["flattened_butterfly"]
    k: Radix
    """Routers along every dimension."""
    dimensions: Power = 1
    """Dimensions of routers."""
    concentration: Count | None = None
    """Nodes of each router; `k` unless given."""
    routing: Literal["minimal", "valiant", "ugal"] = "minimal"
    """The shortest way, over a random router, or whichever of both looks shorter now."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first: the node of its router, then the router."""
        return (self.concentration or self.k, *((self.k,) * self.dimensions))

    def spec(self) -> dict[str, Any]:
        """As the base class, with the concentration."""
        return {**super().spec(), "concentration": self.concentration or self.k}


class Dragonfly(Topology):
    """A dragonfly of a·h + 1 groups: the routers of a group, and all groups, are joined.

    Kim, Dally, Scott and Abts: Technology-driven, highly-scalable dragonfly topology, ISCA 2008.
    """

    kind: Literal["dragonfly"]
    p: Count
    """Nodes of each router."""
    a: Count | None = None
    """Routers of each group; 2p unless given."""
    h: Count | None = None
    """Links of each router to other groups; p unless given."""
    routing: Literal["minimal", "valiant", "ugal"] = "minimal"
    """The shortest way, over a random group, or whichever of both looks shorter now."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first: node of its router, router, group."""
        a, h = self.a or 2 * self.p, self.h or self.p
        return (self.p, a, a * h + 1)

    def spec(self) -> dict[str, Any]:
        """As the base class, with routers and links that were not given."""
        _, a, _ = self.extents
        return {**super().spec(), "a": a, "h": self.h or self.p}


class Crossbar(Topology):
    """All nodes on one switch."""

    kind: Literal["crossbar"]
    nodes: Annotated[int, Field(ge=2)]
    """Number of nodes."""

    @property
    def extents(self) -> tuple[int, ...]:
        """Positions along each digit, fastest first."""
        return (self.nodes,)


TOPOLOGIES: dict[str, type[Topology]] = {
    "fat_tree": FatTree,
    "mesh": Mesh,
    "torus": Torus,
    "hypercube": Hypercube,
    "crossbar": Crossbar,
    "fly": Fly,
    "flattened_butterfly": FlattenedButterfly,
    "dragonfly": Dragonfly,
}

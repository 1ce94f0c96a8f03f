"""What a shard file orders from one job, as its JSON holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict, TypeVar

from weft.plan.spec import Placement, PointSpec


class PlannedPoint(PointSpec):
    """A point of a shard file."""

    point_id: str


class ResolvedPoint(PlannedPoint):
    """A point with every number filled in; `digest` names it and the engine's version."""

    digest: str
    #: Where its ranks run, if a measurement decides that.
    placement: NotRequired[Placement]
    #: Why no job of this machine can measure it, if so.
    refused: NotRequired[str]


class DeclaredFacts(TypedDict):
    """What a job has to know of an engine's declaration."""

    measures: bool
    network_costs: bool | str
    program: str
    side_tables: list[str]


class OrderHead(TypedDict):
    """A shard file, its points left out."""

    schema: int
    engine: str
    engine_version: str
    shard: str
    #: By point, where it is not the first.
    attempts: dict[str, int]
    declared: NotRequired[DeclaredFacts]
    machine: NotRequired[Mapping[str, object]]
    limits: NotRequired[Mapping[str, object]]
    #: Why no job of this machine can measure a point, by point.
    refused: NotRequired[Mapping[str, str]]
    #: In an allocation, the experiment's seed, which draws the order of the points.
    order_seed: NotRequired[int]


class ShardOrder(OrderHead):
    """A shard file as the planner writes it."""

    points: list[PlannedPoint]


class ResolvedOrder(OrderHead):
    """The same with resolved points, for the engine."""

    points: list[ResolvedPoint]


#: An order, with or without its points.
HeadT = TypeVar("HeadT", bound=OrderHead)

"""The data classes that stages hand to each other: points and shards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from weft.plan.spec import NetworkSpec, OptionsSpec, PointSpec

#: What a point's spec is made of, beside its engine and seed.
PARTS = ("topology", "network", "workload", "options")
#: Points that one simulating job computes at a time; a measurement has the machine for itself.
SIMULATE_THREADS = 2


# One encoder for all: `json.dumps` makes one for each call, which takes longer than a small text.
_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical_json(value: object) -> str:
    """Key-sorted, whitespace-free JSON: equal values give equal text."""
    return _ENCODE(value)


def short_digest(value: object) -> str:
    """First 12 hex digits of SHA-256 over the canonical JSON of `value`."""
    return sha256(canonical_json(value).encode()).hexdigest()[:12]


def needs_calibration(network: NetworkSpec) -> bool:
    """Whether the link parameters of `network` are to be fitted from a measurement."""
    return "calibrated_from" in network


def needs_computing(options: OptionsSpec) -> bool:
    """Whether computing between calls is to take the time that was measured."""
    return bool(options.get("compute", "declared") != "declared")


def needs_placement(options: OptionsSpec) -> bool:
    """Whether ranks are to run where those of a measurement did."""
    return options.get("rank_to_node") == "measured"


@dataclass(frozen=True, slots=True)
class Point:
    """One resolved question to one engine.

    `spec` holds `engine, topology, network, workload, options, seed` as plain values in SI
    units; `coordinates` are the swept keys with their values, for axes and legends.
    """

    point_id: str
    engine: str
    replicate: int
    seed: int
    spec: PointSpec
    coordinates: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Shard:
    """Points that one job computes; `shard_id` names them and the engine's version."""

    shard_id: str
    engine: str
    engine_version: str
    point_ids: tuple[str, ...]


def shard_of(engine: str, engine_version: str, point_ids: Sequence[str]) -> Shard:
    """The shard of these points, under the name that they give it."""
    shard_id = short_digest([engine, engine_version, [*point_ids]])
    return Shard(shard_id, engine, engine_version, tuple(point_ids))

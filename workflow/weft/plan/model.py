"""The data classes that stages hand to each other: points, shards and the plan."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any

from weft.files import Put, replace_changed

PLAN_SCHEMA = 1
#: A table's whole numbers have 64 bits.
MOST_INTEGER = 2**63 - 1
_LONG_NUMBER = re.compile(r"[:,\[] ?-?(\d{19,})[,}\]]")


def canonical_json(value: object) -> str:
    """Key-sorted, whitespace-free JSON: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def short_digest(value: object) -> str:
    """First 12 hex digits of SHA-256 over the canonical JSON of `value`."""
    return sha256(canonical_json(value).encode()).hexdigest()[:12]


def needs_calibration(spec: Mapping[str, Any]) -> bool:
    """Whether the link parameters of `spec` are to be fitted from a measurement."""
    return "calibrated_from" in spec["network"]


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
    spec: Mapping[str, Any]
    coordinates: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shard:
    """Points that one job computes; `shard_id` names them and the engine's version."""

    shard_id: str
    engine: str
    engine_version: str
    point_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one experiment will run, and what its report shows."""

    experiment: str
    title: str
    question: str
    points: tuple[Point, ...]
    shards: tuple[Shard, ...]
    machine: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    overrides: tuple[str, ...] = ()
    schema: int = PLAN_SCHEMA

    def points_of(self, shard: Shard) -> tuple[Point, ...]:
        """The shard's points, in the shard's order, leaving out points no longer planned."""
        by_id = {point.point_id: point for point in self.points}
        return tuple(by_id[i] for i in shard.point_ids if i in by_id)

    def owners(self) -> dict[str, str]:
        """The shard that answers for each point."""
        return {i: shard.shard_id for shard in self.shards for i in shard.point_ids}


def write_plan(plan: Plan, path: Path, put: Put = replace_changed) -> Path:
    """Write `plan` atomically; an unchanged plan leaves the file untouched.

    Returns where it is, which `put` decides.
    """
    return put(path, _plan_text(plan))


def _plan_text(plan: Plan) -> str:
    """JSON with one line for each key, point and shard: quick to write, and readable in a diff."""
    listed = {
        "points": [canonical_json(_fields(point)) for point in plan.points],
        "shards": [canonical_json(_fields(shard)) for shard in plan.shards],
    }
    lines = {name: "[\n  " + ",\n  ".join(rows) + "\n ]" for name, rows in listed.items()}
    for name in _fields(plan).keys() - lines.keys():
        lines[name] = canonical_json(getattr(plan, name))
    return "{\n" + ",\n".join(f' "{name}": {lines[name]}' for name in sorted(lines)) + "\n}\n"


def _fields(item: Plan | Point | Shard) -> dict[str, Any]:
    # Not `asdict`: it copies every nested value, which takes seconds for ten thousand points.
    return {part.name: getattr(item, part.name) for part in fields(item)}


def read_plan(path: Path) -> Plan:
    """Read a plan written by `write_plan`.

    Raises ValueError when the file is of another schema, and when it holds a number that no table
    holds: an earlier weft let such numbers through.
    """
    text = path.read_text()
    for number in _LONG_NUMBER.findall(text):
        if int(number) > MOST_INTEGER:
            raise ValueError(f"{path} holds the number {number}, which no table holds; delete it")
    raw = json.loads(text)
    if raw.get("schema") != PLAN_SCHEMA:
        raise ValueError(f"{path}: plan schema {raw.get('schema')}, this weft reads {PLAN_SCHEMA}")
    raw["points"] = tuple(Point(**point) for point in raw["points"])
    raw["shards"] = tuple(
        Shard(**{**shard, "point_ids": tuple(shard["point_ids"])}) for shard in raw["shards"]
    )
    raw["overrides"] = tuple(raw["overrides"])
    return Plan(**raw)

"""Plans: the sweep expanded into points, and points packed into shards."""

from weft.plan.build import (
    EngineSummary,
    build_plan,
    read_shard_status,
    summarise,
)
from weft.plan.expand import expand
from weft.plan.model import (
    Plan,
    Point,
    Shard,
    canonical_json,
    read_plan,
    short_digest,
    write_plan,
)

__all__ = [
    "EngineSummary",
    "Plan",
    "Point",
    "Shard",
    "build_plan",
    "canonical_json",
    "expand",
    "read_plan",
    "read_shard_status",
    "short_digest",
    "summarise",
    "write_plan",
]

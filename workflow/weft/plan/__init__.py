"""Plans: the sweep expanded into points, and points packed into shards."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.plan.build import EngineSummary, build_plan, summarise
    from weft.plan.expansion import expand
    from weft.plan.model import Point, Shard, canonical_json, short_digest
    from weft.plan.plan import Plan
    from weft.plan.points import Points
    from weft.plan.stored import read_plan, remove_old_points, write_plan

__all__ = [
    "EngineSummary",
    "Plan",
    "Point",
    "Points",
    "Shard",
    "build_plan",
    "canonical_json",
    "expand",
    "read_plan",
    "remove_old_points",
    "short_digest",
    "summarise",
    "write_plan",
]
_HOMES = {
    "EngineSummary": "build",
    "build_plan": "build",
    "summarise": "build",
    "expand": "expansion",
    "Plan": "plan",
    "Points": "points",
    "read_plan": "stored",
    "remove_old_points": "stored",
    "write_plan": "stored",
}


def __getattr__(name: str) -> object:
    # On first use: building brings Hydra, Pydantic and Pint, which jobs need not load.
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model')}"), name)

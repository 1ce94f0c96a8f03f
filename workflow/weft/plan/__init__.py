"""Plans: the sweep expanded into points, and points packed into shards."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.plan.build import EngineSummary, build_plan, summarise
    from weft.plan.expansion import expand
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
    "short_digest",
    "summarise",
    "write_plan",
]
_BUILD = ("EngineSummary", "build_plan", "summarise")


def __getattr__(name: str) -> Any:
    # On first use: building brings Hydra, Pydantic and Pint, which jobs need not load.
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module = "build" if name in _BUILD else "expansion" if name == "expand" else "model"
    return getattr(import_module(f"{__name__}.{module}"), name)

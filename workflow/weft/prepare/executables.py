"""Simulators that jobs will start: missing or outdated ones are named before the first job."""

from __future__ import annotations

from weft.engines import engine
from weft.engines.native import NativeEngine
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.prepare.shard_images import engine_image


def check_executables(plan: Plan, outcomes: Outcomes, *, containers: bool) -> None:
    """Raise EngineError if a shard that is still open needs an executable that cannot run it."""
    needed = {
        (shard.engine, shard.engine_version) for shard in plan.shards if outcomes(shard) is None
    }
    for name, version in sorted(needed):
        found = engine(name)
        if isinstance(found, NativeEngine) and not engine_image(name, plan.machine, containers):
            found.check_ready(version)

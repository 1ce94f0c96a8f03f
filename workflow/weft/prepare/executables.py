"""Simulators that jobs will start: missing or outdated ones are named before the first job.

Only the shards that need one are hindered: a job that fails with the reason stands before them.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass

from weft.config import Experiment
from weft.engines import EngineError, engine
from weft.engines.external.engine import ABSENT
from weft.engines.native import NativeEngine
from weft.images import ImageError
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.prepare.compilers import missing_compiler
from weft.prepare.shard_images import engine_image


@dataclass(frozen=True, slots=True)
class Versions:
    """The version of each engine, and why it is `unknown` where it is."""

    known: Mapping[str, str]
    unknown: Mapping[str, str]


#: What was asked of an engine: its name, the machine and the image.
Asked = tuple[str, str, str | None]


def engine_versions(
    experiment: Experiment,
    previous: Plan | None,
    answered: MutableMapping[Asked, str],
    *,
    containers: bool,
) -> Versions:
    """The versions that a plan names; where one is unknown, that of the `previous` plan.

    So what is finished stays on the page when its simulator is gone. `answered` keeps the versions
    for the next experiment of the same command: each reads all sources of its engine.
    """
    before = {shard.engine: shard.engine_version for shard in previous.shards} if previous else {}
    known, unknown = {}, {}
    for name in experiment.engines:
        try:
            image = engine_image(name, experiment.machine, containers)
            asked = name, repr(experiment.machine), image.name if image else None
            if asked not in answered:
                answered[asked] = engine(name).version(experiment.machine, asked[2])
            known[name] = answered[asked]
        except (EngineError, ImageError) as error:
            known[name], unknown[name] = before.get(name, ABSENT), str(error)
    return Versions(known, unknown)


def hindered(
    experiment: Experiment, plan: Plan, outcomes: Outcomes, versions: Versions, *, containers: bool
) -> dict[str, str]:
    """The engines with open shards whose executable or compiler is missing, with the reason."""
    needed = sorted({shard.engine for shard in plan.shards if outcomes(shard) is None})
    found = {name: versions.unknown.get(name) for name in needed}
    for name in needed:
        if not found[name] and not engine_image(name, plan.machine, containers):
            problem = _problem(name, versions.known[name])
            found[name] = problem or missing_compiler(experiment, plan, outcomes, name)
    return {name: problem for name, problem in found.items() if problem}


def _problem(name: str, version: str) -> str | None:
    found = engine(name)
    if not isinstance(found, NativeEngine):
        return None
    try:
        found.check_ready(version)
    except EngineError as error:
        return str(error)
    return None

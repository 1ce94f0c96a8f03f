"""Where ranks run: one key of the workload for all engines that place them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import get_args

from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.jobs import Jobs
from weft.config.model.topology_base import Topology
from weft.config.model.topology_from_file import FromFile
from weft.config.model.workload import Program, Ranked
from weft.config.points.places import Places

KEY, OPTION, FILE = "workload.placement", "rank_to_node", "rank_file"
DEFAULT, MEASURED, GROUPS = "linear", "measured", "by_group"


def with_placement(
    engine: str, options: Settings, workload: Settings | None, places: Places
) -> Settings | Problem:
    """The options of an engine, with the placement of the workload if it has one."""
    is_placed = isinstance(workload, Ranked | Jobs)
    placement: str | None = getattr(workload, "placement", None) if is_placed else None
    # The workload itself holds the groups.
    placement = DEFAULT if placement == GROUPS else placement
    known = type(options).model_fields.get(OPTION)
    if placement is None or known is None:
        return options
    key = f"engine.{engine}.{OPTION}"
    given = getattr(options, OPTION)
    # Of every engine the defaults are there, too.
    if given not in (placement, DEFAULT):
        return Problem(
            KEY, f"{placement}, but {key} is {given}; give one of them", related=(KEY, key)
        )
    allowed = get_args(known.annotation)
    if placement not in allowed:
        names = ", ".join(map(str, allowed))
        return Problem(KEY, f"{engine} has no placement {placement}; allowed: {names}")
    file = workload.used_file if isinstance(workload, Jobs) else None
    if file is None:
        return options.model_copy(update={OPTION: placement})
    return options.model_copy(update={OPTION: placement, FILE: places.find(file)})


def is_measured(options: Settings | None) -> bool:
    """Whether ranks run where those of a measurement did."""
    return getattr(options, OPTION, None) == MEASURED


def placing_key(engine: str, workload: Settings | None) -> str:
    """The key that says where the ranks of an engine run."""
    is_short = isinstance(workload, Ranked | Jobs) and workload.placement is not None
    return KEY if is_short else f"engine.{engine}.{OPTION}"


def names_problem(engine: str, topology: Topology, workload: Program) -> Problem | None:
    """Why the nodes of a measurement cannot be found in the topology."""
    if isinstance(topology, FromFile):
        return None
    key = placing_key(engine, workload)
    message = (
        "measured looks for the names of the measurement's nodes in the network, and a "
        f"{topology.entry.kind} has no names; take topology: graph"
    )
    return Problem(key, message, related=(key, "topology"))


def unmeasured(needed: Mapping[str, str], measured: Set[str]) -> list[Problem]:
    """A key that asks for the nodes of a measurement which the experiment does not make.

    `needed` holds per workload the key that asks; both are canonical JSON of workloads.
    """
    return [
        Problem(
            key,
            "measured takes the nodes of a measurement of the same program with as many ranks, so "
            "engines needs hardware",
        )
        for workload, key in needed.items()
        if workload not in measured
    ][:1]

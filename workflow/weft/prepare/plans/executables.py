"""Simulators and compilers that jobs will start: what is missing or outdated is an obstacle,
which a command names before the first job.

Only the shards behind an obstacle wait: a job that fails with the reason stands before them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass

import numpy as np

from weft.config import Experiment
from weft.config.language.errors import Problem
from weft.config.load.placing import placed
from weft.engines import EngineError, engine
from weft.engines.external.engine import ABSENT
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.parts import fortran_compiler
from weft.engines.hardware.site import find_mpicc, rank_environment
from weft.engines.native import NativeEngine
from weft.images import ImageError
from weft.machine import MachineFile
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.plan.spec import WorkloadSpec
from weft.prepare.jobs.shard_images import engine_image

#: The compiler of simulators, and the variable that names another; `simulators/ranks` has the same.
_FORTRAN, _VARIABLE = "gfortran", "WEFT_FC"


@dataclass(frozen=True, slots=True)
class Versions:
    """The version of each engine, and why it is `unknown` where it is."""

    known: Mapping[str, str]
    unknown: Mapping[str, str]


#: What was asked of an engine: its name, the machine and the image.
EngineKey = tuple[str, str, str | None]


def engine_versions(
    experiment: Experiment,
    previous: Plan | None,
    answered: MutableMapping[EngineKey, str],
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


def obstacles(
    experiment: Experiment, plan: Plan, outcomes: Outcomes, versions: Versions, *, containers: bool
) -> dict[str, str]:
    """The engines with open shards whose executable or compiler is missing, with the reason."""
    needed = sorted({shard.engine for shard in plan.shards if outcomes(shard) is None})
    found = {name: versions.unknown.get(name) for name in needed}
    for name in needed:
        if not found[name] and not engine_image(name, plan.machine, containers):
            problem = _problem(name, versions.known[name])
            found[name] = problem or _missing_compiler(experiment, plan, outcomes, name)
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


def _missing_compiler(
    experiment: Experiment, plan: Plan, outcomes: Outcomes, name: str
) -> str | None:
    """Why the engine cannot compile a program of its open shards on this machine.

    The text has file, line and key. Compilers of other machines and of images are not looked for.
    A project's own build may do without its sources of Fortran, so that only its job can say.
    """
    problem = _no_compiler(name, plan.machine)
    if problem is None or not any(map(_is_fortran, _open(plan, outcomes, name))):
        return None
    found = Problem("workload.program.sources", problem)
    return "\n".join(map(str, placed(experiment, [found])))


def _open(plan: Plan, outcomes: Outcomes, name: str) -> Iterator[WorkloadSpec]:
    """The workloads of the engine's open shards."""
    texts, codes = plan.points.texts("workload"), plan.points.codes("workload")
    for shard, places in plan.placed():
        if shard.engine == name and outcomes(shard) is None:
            for code in np.unique(codes[places]).tolist():
                yield from _of_jobs(json.loads(texts[code]))


def _of_jobs(workload: WorkloadSpec) -> Iterable[WorkloadSpec]:
    return workload.get("jobs") or [workload]


def _is_fortran(workload: WorkloadSpec) -> bool:
    build = workload.get("build")
    return build is not None and "make" not in build and build["language"] == "fortran"


def _no_compiler(name: str, machine: MachineFile) -> str | None:
    """What is missing here; None if the compiler is there, or on another machine."""
    if engine(name).kind == "hardware":
        return _beside_mpi(machine) if machine.mode != "hybrid" else None
    compiler = os.environ.get(_VARIABLE) or _FORTRAN
    is_elsewhere = not isinstance(engine(name), NativeEngine) or machine.batch_system != "none"
    if is_elsewhere or shutil.which(compiler):
        return None
    return f"no {compiler} is here to compile Fortran; install it, or name another with {_VARIABLE}"


def _beside_mpi(machine: MachineFile) -> str | None:
    try:
        fortran_compiler(find_mpicc(machine, rank_environment(machine)))
    except (EngineError, MeasurementError) as error:
        return str(error)
    return None

"""Compilers that jobs will start for programs of Fortran: a missing one is named when planning."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator

import numpy as np

from weft.config import Experiment
from weft.config.language.errors import Problem
from weft.config.load.placing import placed
from weft.engines import EngineError, engine
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.parts import fortran_compiler
from weft.engines.hardware.site import find_mpicc, rank_environment
from weft.engines.native import NativeEngine
from weft.machine import MachineFile
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.plan.spec import WorkloadSpec

#: The compiler of simulators, and the variable that names another; `simulators/ranks` has the same.
_FORTRAN, _VARIABLE = "gfortran", "WEFT_FC"


def missing_compiler(
    experiment: Experiment, plan: Plan, outcomes: Outcomes, name: str
) -> str | None:
    """Why the engine cannot compile a program of its open shards on this machine.

    The text has file, line and key. Compilers of other machines and of images are not looked for.
    A project's own build may do without its sources of Fortran, so that only its job can say.
    """
    problem = _problem(name, plan.machine)
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


def _problem(name: str, machine: MachineFile) -> str | None:
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

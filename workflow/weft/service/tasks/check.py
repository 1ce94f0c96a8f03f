"""Checks an experiment in a process of its own, whose time and memory are limited.

A file of some megabytes can stand for more rows, aliases or points than any memory holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from weft.plan.costs import Costs
from weft.service.preloaded import CallLimits, LimitError, limited, preloading
from weft.service.project import UPLOADS
from weft.service.tasks.composed import NAME_PROBLEM, Checked, Mistake, composed
from weft.service.tasks.programs import are_programs

_LIMITS = CallLimits(processor_s=20, wall_s=300, memory_bytes=4 << 30)
_MODULE = "weft.service.tasks.composed"


def checked(
    name: str, experiment_yaml: str, files: Mapping[str, bytes], costs: Costs | None = None
) -> Checked:
    """Compose, check and expand an experiment as the planner does; estimate it by `costs`."""
    arguments = (name, experiment_yaml, files, costs)
    try:
        found = limited(preloading(_MODULE), composed, arguments, _LIMITS)
    except LimitError as error:
        return Checked((Mistake("", f"the experiment is too large to check: {error}"),))
    brought = are_programs(files)
    if (brought or found.brings_program) and (refused := _refused()):
        places = brought or ["workload.program"]
        return Checked((*found.mistakes, *(Mistake(place, refused) for place in places)))
    return replace(found, brings_program=bool(brought) or found.brings_program)


def _refused() -> str:
    # Only this asks the database; forms are checked without one.
    from weft.service.queue.confined import programs_refused

    return programs_refused()


__all__ = ["NAME_PROBLEM", "UPLOADS", "Checked", "Mistake", "checked"]

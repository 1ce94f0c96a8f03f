"""Whether an experiment brings code of its own, so that only a confined worker may have it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from weft.config.points.places import SHIPPED
from weft.service.project import PROGRAM


def are_programs(files: Iterable[str]) -> list[str]:
    """Uploads that are code, whether the experiment names them or not."""
    return [path for path in files if path.endswith(PROGRAM)]


def runs_strange_code(workloads: Iterable[str]) -> bool:
    """Whether any of these workloads, as points have them in JSON, runs anything but a program of
    weft as it is shipped: compiled with flags of a stranger even that one is another."""
    return any(_is_strange(json.loads(text)) for text in workloads)


def _is_strange(workload: Mapping[str, object]) -> bool:
    jobs = workload.get("jobs")
    if isinstance(jobs, list) and any(map(_is_strange, jobs)):
        return True
    source = workload.get("source")
    shipped = source is None or str(source).startswith(f"{SHIPPED}/")
    return bool(workload.get("build")) or not shipped

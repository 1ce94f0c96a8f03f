"""What stands beside a measurement: how it was launched, where its ranks ran, over which fabric."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from weft.engines.base import ShardJob
from weft.engines.hardware.binding import binding, crowded_hosts
from weft.engines.hardware.command import Launch
from weft.engines.hardware.errors import ProcessUsage
from weft.engines.hardware.image import image_variables
from weft.engines.hardware.network import fabric_by_host, fabric_variables, switch_distance
from weft.engines.hardware.samples import Measurement
from weft.engines.hardware.site import Site, tool_version
from weft.images import find_runtime

PLACES = ("cpus", "cores", "sockets", "numas")


def used_by_ranks(usage: ProcessUsage, measurement: Measurement) -> ProcessUsage:
    """A launcher knows nothing of what ranks on other nodes have used, but they do."""
    seconds = sum(map(float, measurement.of_ranks("cpu_s")))
    memory = max(map(int, measurement.of_ranks("peak_rss_bytes")), default=usage.peak_rss_bytes)
    return ProcessUsage(usage.wall_s, max(usage.cpu_s, seconds), memory)


def before_launch(
    site: Site, job: ShardJob, started: Launch, command: Sequence[str]
) -> dict[str, object]:
    """Machine, launcher, MPI and versions, known even when the launch fails."""
    in_image = job.image if site.mode != "native" else None
    variables = {**site.environment, **(image_variables(site) if in_image else {})}
    srun = started.style == "srun"
    found: dict[str, object] = {
        "machine": site.name,
        "launcher": command[0],
        "command": shlex.join([Path(command[0]).name, *command[1:]]),
        "mode": site.mode,
        "mpi": site.flavour,
        "modules": list(job.machine.modules),
        "fabric_variables": fabric_variables(variables),
        "slurm_version": tool_version([command[0], "--version"], site.environment)
        if srun
        else None,
        "image": in_image.name if in_image else None,
        "apptainer_version": _runtime_version(site) if in_image else None,
    }
    if not srun:
        processors = len(os.sched_getaffinity(0))
        found |= {"processors": processors, "oversubscribed": started.ranks > processors}
    return {key: value for key, value in found.items() if value not in (None, [], {})}


def _runtime_version(site: Site) -> str | None:
    return tool_version([str(find_runtime()), "--version"], site.environment)


def after_launch(
    measurement: Measurement, asked: str, environment: Mapping[str, str]
) -> dict[str, object]:
    """What the ranks reported: hosts, binding, fabric; and the switches between their hosts."""
    hosts = measurement.of_ranks("host")
    places = {key: measurement.of_ranks(key) for key in PLACES}
    bound = binding(asked, hosts, places)
    problem = bound.pop("problem")
    found = {
        **measurement.environment(),
        "binding": bound,
        "fabric": fabric_by_host(hosts, measurement.of_ranks("fabric")),
        "switch_distance": switch_distance(hosts, environment),
        "oversubscribed": crowded_hosts(hosts, places["cpus"]),
    }
    return {**found, "binding_problem": problem} if problem else found

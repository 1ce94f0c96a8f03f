"""The file from which a launcher learns the hosts of its job."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from weft.engines.hardware.command import Launch

NAME = "hosts"
#: How launchers write a host and how many ranks it takes.
LINES: dict[str, str] = {"mpich": "{host}:{ranks}", "openmpi": "{host} slots={ranks}"}


def write_host_file(
    directory: Path, launch: Launch, hosts: Sequence[str], name: str = NAME
) -> str | None:
    """Write the file for a job on several hosts; its path, or None where none is needed.

    Launchers find hosts by themselves only where they were built for the batch system. In an
    allocation that other points share, ranks get as many hosts as they need.
    """
    if launch.style == "srun" or len(hosts) < 2:
        return None
    if launch.first_node is not None:
        hosts = hosts[launch.first_node :][: launch.nodes or 1]
    ranks = min(launch.ranks, launch.ranks_per_node or math.ceil(launch.ranks / len(hosts)))
    line = LINES.get(launch.style, "{host}")
    path = (directory / name).resolve()
    path.write_text("".join(line.format(host=host, ranks=ranks) + "\n" for host in hosts))
    return str(path)

"""What is known about the network between the nodes: switches, devices, chosen transports."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product

#: Variables that choose the fabric of MPI and transport libraries.
FABRIC_VARIABLES = re.compile(
    r"^(UCX_|FI_|OMPI_MCA_|PMIX_MCA_|PRTE_MCA_|MPICH_|MPIR_CVAR_|I_MPI_|MV2_|PSM)"
)
_SWITCH = re.compile(r"^SwitchName=\S+ Level=(\d+).* Nodes=(\S*)", re.MULTILINE)
_NAMES_OR_LISTS = re.compile(r",(?![^\[]*\])")
ANSWER_S = 20


def switch_distance(hosts: Collection[str], environment: Mapping[str, str]) -> int | None:
    """Switches on the way between the two farthest `hosts`, by Slurm; None when unknown.

    0 is one host, 1 the same leaf switch, 3 leaf, spine and leaf.
    """
    if len(set(hosts)) == 1:
        return 0
    try:
        output = subprocess.run(
            ["scontrol", "show", "topology"],
            capture_output=True,
            text=True,
            env=dict(environment),
            timeout=ANSWER_S,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    return distance_in(output, hosts)


def distance_in(topology: str, hosts: Collection[str]) -> int | None:
    """The same, from what `scontrol show topology` printed.

    A switch of level n joins nodes over n levels up, and as many down.
    """
    wanted = {host.split(".")[0] for host in hosts}
    levels = [
        int(level)
        for level, nodes in _SWITCH.findall(topology)
        if wanted <= set(expand_hosts(nodes))
    ]
    return 2 * min(levels) + 1 if levels else None


def expand_hosts(text: str) -> Iterator[str]:
    """The names of a Slurm host list, like `node[1-2,05],login`."""
    for part in filter(None, _NAMES_OR_LISTS.split(text)):
        pieces = re.split(r"\[([^\]]*)\]", part)
        choices = [_numbers(piece) if i % 2 else [piece] for i, piece in enumerate(pieces)]
        yield from map("".join, product(*choices))


def _numbers(text: str) -> list[str]:
    """`1-2,05` as texts; leading zeros are part of a name."""
    found: list[str] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += [str(n).zfill(len(first)) for n in range(int(first), int(last or first) + 1)]
    return found


def fabric_by_host(hosts: Sequence[str], fabric: Sequence[str]) -> dict[str, str]:
    """Devices and rates of every node in use."""
    return dict(zip(hosts, fabric, strict=False))


def fabric_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Those of `environment` that choose the fabric."""
    return {k: v for k, v in sorted(environment.items()) if FABRIC_VARIABLES.match(k)}

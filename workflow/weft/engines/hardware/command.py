"""The launchers' command lines: what each family calls nodes, ranks, binding and variables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from weft.engines.hardware.site import Flavour

#: How Slurm and MPICH talk at start-up; Open MPI knows PMIx only.
DEFAULT_PMI: dict[Flavour, str] = {"openmpi": "pmix", "mpich": "pmi2"}
SRUN_BINDING = {"none": "none", "core": "cores", "socket": "sockets", "numa": "ldoms"}


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start `ranks` ranks; without `ranks_per_node` the launcher spreads them.

    `crowded` ranks outnumber the processors, and are not bound. `variables` are names that every
    rank shall get from the launcher's own environment.
    """

    launcher: str
    style: Literal["srun", "mpich", "openmpi", "template"]
    flavour: Flavour
    ranks: int
    ranks_per_node: int | None = None
    bind: str = "none"
    pmi: str | None = None
    crowded: bool = False
    as_root: bool = False
    variables: Sequence[str] = ()
    arguments: Sequence[str] = ()
    #: The job's hosts for a launcher that does not know them by itself.
    host_file: str | None = None
    #: Where the job may have more nodes than the ranks need: the place of the first that they get.
    first_node: int | None = None
    #: The words of a launcher that weft does not know, with placeholders.
    template: Sequence[str] = ()

    @property
    def nodes(self) -> int | None:
        """How many nodes the ranks need; None when the launcher decides."""
        return math.ceil(self.ranks / self.ranks_per_node) if self.ranks_per_node else None


def launcher_command(launch: Launch) -> list[str]:
    """The words before the program."""
    styles = {"srun": _srun, "mpich": _hydra, "openmpi": _mpirun, "template": _filled}
    words = styles[launch.style](launch)
    return [launch.launcher, *words, *launch.arguments]


def _srun(launch: Launch) -> list[str]:
    """Says everything itself: the job step has lost the variables of its allocation.

    Without --export a site's `sbatch --export=NONE` would also empty the ranks' environment.
    """
    words = [f"--mpi={launch.pmi or DEFAULT_PMI[launch.flavour]}", "--export=ALL"]
    if launch.nodes:
        words += ["-N", str(launch.nodes)]
        words += [f"--relative={launch.first_node}"] if launch.first_node is not None else []
    words += ["-n", str(launch.ranks)]
    if launch.ranks_per_node:
        words.append(f"--ntasks-per-node={min(launch.ranks_per_node, launch.ranks)}")
    return [*words, f"--cpu-bind={SRUN_BINDING[launch.bind]}", "--kill-on-bad-exit=1"]


def _hydra(launch: Launch) -> list[str]:
    words = ["-f", launch.host_file] if launch.host_file else []
    words += ["-n", str(launch.ranks)]
    if launch.ranks_per_node:
        words += ["-ppn", str(launch.ranks_per_node)]
    bound = launch.bind != "none" and not launch.crowded
    return [*words, "--bind-to", launch.bind] if bound else words


def _mpirun(launch: Launch) -> list[str]:
    """Binds by default, and sends no variables to other nodes."""
    words = ["--allow-run-as-root"] if launch.as_root else []
    words += ["--hostfile", launch.host_file] if launch.host_file else []
    words += ["-n", str(launch.ranks)]
    if launch.ranks_per_node:
        words += ["--map-by", f"ppr:{launch.ranks_per_node}:node"]
    words += ["--bind-to", "none" if launch.crowded else launch.bind]
    if launch.crowded:
        words.append("--oversubscribe")
    for name in launch.variables:
        words += ["-x", name]
    return words


def _filled(launch: Launch) -> list[str]:
    """Words of the machine file's own."""
    values = {
        "ranks": launch.ranks,
        "ranks_per_node": launch.ranks_per_node or launch.ranks,
        "nodes": launch.nodes or 1,
        "host_file": launch.host_file or "/dev/null",
    }
    return [word.format(**values) for word in launch.template]

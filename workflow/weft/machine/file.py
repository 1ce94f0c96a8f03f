"""What a machine file says, checked and in SI units: plain data that jobs read without any model.

The defaults stand here alone; the model that checks the file takes them from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from typing import Any, Literal

BatchSystem = Literal["slurm", "other", "none"]
Mode = Literal["native", "hybrid", "bind"]


def is_srun(launcher: str | PurePath) -> bool:
    """Whether the launcher is Slurm's own."""
    return PurePath(launcher).name == "srun"


@dataclass(frozen=True, slots=True)
class MachineFile:
    """How programs are built and launched, and what jobs ask of the batch system.

    Names and units are those of the plan; `weft.config.model.machine` says what each field means.
    """

    name: str = ""
    launcher: str = "mpiexec"
    launcher_arguments: tuple[str, ...] = ()
    mpicc: str = "mpicc"
    mpi: Literal["auto", "mpich", "openmpi"] = "auto"
    mode: Mode = "native"
    pmi: str | None = None
    launcher_template: tuple[str, ...] = ()
    binds: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[str, ...] = ()
    ranks: int = 4
    ranks_per_node: int | None = None
    nodes: int | None = None
    allocation: Literal["one"] | int | None = None
    idle_nodes: Literal["simulate"] | None = None
    exclusive: bool = False
    bind: Literal["none", "core", "socket", "numa"] = "none"
    oversubscribe: bool = True
    timeout_s: float = 120.0
    simulation_timeout_s: float = 3600.0
    memory_limit_bytes: int | None = None
    output_limit_bytes: int = 64 << 20
    shard_target_s: float = 300.0
    memory_per_job_bytes: int | None = None
    runtime_per_job_s: float | None = None
    scheduler: Literal["auto", "slurm", "other", "none"] = "auto"
    booksim_path: str | None = None
    booksim_timeout_s: float | None = None
    simgrid_path: str | None = None
    account: str | None = None
    partition: str | None = None
    qos: str | None = None
    constraint: str | None = None
    reservation: str | None = None
    slurm_extra: str | None = None

    @classmethod
    def read(cls, plain: Mapping[str, object]) -> MachineFile:
        """From a plan or a shard file; keys of another version of weft are left out."""
        known = {each.name for each in fields(cls)}
        return cls(**{key: _fixed(value) for key, value in plain.items() if key in known})

    def plain(self) -> dict[str, object]:
        """As JSON holds it; keys without a value are left out."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values
            if value is not None
        }

    def ranks_on_a_node(self, ranks: int) -> int:
        """How many of a program's ranks each of its nodes has; all of them unless the file says."""
        return min(self.ranks_per_node or ranks, ranks)

    def nodes_of(self, ranks: int) -> int:
        """The nodes that a program of so many ranks needs."""
        return -(-ranks // self.ranks_on_a_node(ranks))

    @property
    def allocates(self) -> bool:
        """Whether one submission holds all measurements; one machine has no allocations."""
        return self.allocation is not None and self.batch_system != "none"

    @property
    def simulates_when_idle(self) -> bool:
        """Whether nodes of an allocation simulate while a narrow point leaves them idle."""
        return self.allocates and self.idle_nodes == "simulate"

    @property
    def batch_system(self) -> BatchSystem:
        """Who starts jobs; `other` is a batch system that is reached by commands."""
        if self.scheduler != "auto":
            return self.scheduler
        return "slurm" if self.launches_with_srun else "none"

    @property
    def launches_with_srun(self) -> bool:
        """Whether Slurm itself starts the ranks."""
        return is_srun(self.launcher)


def _fixed(value: object) -> Any:
    return tuple(value) if isinstance(value, list) else value

"""Machines: how programs are started where weft runs. Not part of any point."""

from __future__ import annotations

from pathlib import PurePath
from string import Formatter
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from weft.config.language.errors import nearest
from weft.config.language.quantities import Size, Time
from weft.config.language.section import Settings, SpecName
from weft.config.model.topology import Count
from weft.machine import MachineFile, is_srun

Text = Annotated[str, Field(min_length=1)]
VariableName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
#: YAML reads an unquoted 1 as a number.
VariableValue = Annotated[
    str, BeforeValidator(lambda value: str(value) if type(value) is int else value)
]

#: Weft looks up to once in a second whether a point has reached a limit of time.
SHORTEST_LIMIT_S = 1.0


def _limit(seconds: float) -> float:
    if seconds < SHORTEST_LIMIT_S:
        raise ValueError("must be at least 1 s: whatever ends sooner might not be noticed in time")
    return seconds


#: Seconds after which something is ended.
TimeLimit = Annotated[Time, AfterValidator(_limit)]


def _allocation(value: object) -> object:
    """A number of nodes, or the word; a wrong value gets one message, whatever its type."""
    if value == "one" or (type(value) is int and value >= 1):
        return value
    if isinstance(value, bool):
        found = "on and off are true and false in YAML; did you mean 'one'?"
    elif isinstance(value, str):
        found = f"unknown value '{value}'{nearest(value, ['one']) or ';'}"
    else:
        found = f"{value} is no number of nodes; did you mean '{'1' if value == 0 else 'one'}'?"
    raise ValueError(f"{found} allowed: one, a whole number of at least 1")


#: How many nodes one submission may have for all measurements of an experiment.
Allocation = Annotated[Literal["one"] | Count, BeforeValidator(_allocation)]

#: What the file says by saying nothing.
USUAL = MachineFile()
#: What a word of `launcher_template` may name.
PLACEHOLDERS = ("ranks", "ranks_per_node", "nodes", "host_file")


def _absolute(folders: list[str], like: str) -> list[str]:
    relative = [folder for folder in folders if not PurePath(folder).is_absolute()]
    if relative:
        raise ValueError(f"'{relative[0]}' is not an absolute path, like {like}")
    return folders


class Machine(Settings):
    """How MPI programs are built and launched, and what jobs ask of the batch system."""

    launcher: Text = USUAL.launcher
    """The launcher: `srun`, another name (looked for in weft's environment first), or a path."""
    launcher_arguments: list[str] = Field(default_factory=list)
    """Further arguments of the launcher."""
    mpicc: Text = USUAL.mpicc
    """The MPI compiler: a path, or a name: with srun that of the site, else weft's own first."""
    mpi: Literal["auto", "mpich", "openmpi"] = USUAL.mpi
    """Family of the MPI (Intel, Cray, MVAPICH are `mpich`); `auto` asks compiler and launcher."""
    mode: Literal["native", "hybrid", "bind"] = USUAL.mode
    """`native`: no image; `hybrid`: an image with its MPI; `bind`: an image with the machine's."""
    pmi: Text | None = None
    """Value of `srun --mpi`; `pmix` for Open MPI and `pmi2` for MPICH unless given."""
    launcher_template: list[Text] = Field(default_factory=list)
    """Arguments of a launcher that weft does not know, such as `-n`, `{ranks}`."""
    binds: list[Text] = Field(default_factory=list)
    """Folders to mount into the image at the same path, such as those of the MPI and the fabric."""
    modules: list[Text] = Field(default_factory=list)
    """Environment modules to load before programs are compiled and launched."""
    environment: dict[VariableName, VariableValue] = Field(default_factory=dict)
    """Variables for every rank, such as those that choose the fabric."""
    readable: list[Text] = Field(default_factory=list)
    """Further folders whose files experiments may name, such as one of traces. Files of the project
    and of the folder of an experiment need none."""
    ranks: Count = USUAL.ranks
    """The largest number of ranks that a program may have here."""
    ranks_per_node: Count | None = None
    """Ranks on each node; the launcher decides unless given."""
    nodes: Count | None = None
    """The most nodes that a job may have; as many as Slurm's partition allows unless given. Points
    that need more are not measured."""
    allocation: Allocation | None = None
    """All measurements of an experiment in one submission, with the nodes of the widest: `one`, or
    the most nodes that it may have. Unless given, those of as many nodes share jobs."""
    idle_nodes: Literal["simulate"] | None = None
    """With `allocation`: what nodes do that a narrow point leaves idle: `simulate`; nothing unless
    given. The nodes of the measured point never simulate."""
    exclusive: bool = USUAL.exclusive
    """Whether a measurement claims whole nodes of the cluster."""
    bind: Literal["none", "core", "socket", "numa"] = USUAL.bind
    """What each rank is bound to."""
    oversubscribe: bool = USUAL.oversubscribe
    """Whether several ranks may share a core."""
    timeout: Annotated[TimeLimit, SpecName("timeout_s")] = USUAL.timeout_s
    """A program that runs longer is stopped and its point fails; 120 s unless given."""
    simulation_timeout: Annotated[TimeLimit, SpecName("simulation_timeout_s")] = (
        USUAL.simulation_timeout_s
    )
    """A point of a simulator that takes longer is ended and fails; 1 h unless given."""
    memory_limit: Annotated[Size | None, SpecName("memory_limit_bytes")] = None
    """Memory of one simulated point; nine tenths of the machine's unless given."""
    output_limit: Annotated[Size, SpecName("output_limit_bytes")] = USUAL.output_limit_bytes
    """How much the program of a point may print; 64 MiB unless given."""
    shard_target: Annotated[Time, SpecName("shard_target_s")] = USUAL.shard_target_s
    """Target length of a simulation job; 5 min unless given."""
    memory_per_job: Annotated[Size | None, SpecName("memory_per_job_bytes")] = None
    """Memory that a job requests at first; learned from earlier runs unless given."""
    runtime_per_job: Annotated[Time | None, SpecName("runtime_per_job_s")] = None
    """Time limit that a job requests at first; learned from earlier runs unless given."""
    scheduler: Literal["auto", "slurm", "other", "none"] = USUAL.scheduler
    """What starts jobs; `auto`: Slurm if the launcher is srun, else none."""
    booksim_path: Text | None = None
    """A BookSim2 executable for engine `booksim`; `booksim` or `booksim2` on the PATH, or none."""
    booksim_timeout: Annotated[TimeLimit | None, SpecName("booksim_timeout_s")] = None
    """A BookSim2 run that takes longer fails its point; `simulation_timeout` unless given."""
    simgrid_path: Text | None = None
    """The folder above SimGrid's `bin` and `lib`; that of an `smpicc` on the PATH, or none."""
    account: Text | None = None
    """Slurm account that pays."""
    partition: Text | None = None
    """Slurm partition."""
    qos: Text | None = None
    """Slurm quality of service."""
    constraint: Text | None = None
    """Slurm node features that jobs need."""
    reservation: Text | None = None
    """Slurm reservation that jobs use."""
    slurm_extra: Text | None = None
    """Further arguments of `sbatch`."""

    @field_validator("mode")
    @classmethod
    def _mode_is_determined(cls, mode: str, info: ValidationInfo) -> str:
        launcher, mpi = info.data.get("launcher", ""), info.data.get("mpi", "")
        if mode != "hybrid":
            return mode
        if is_srun(launcher) and mpi == "auto":
            raise ValueError(
                "mode hybrid with launcher srun does not say which MPI to use; "
                "write mpi: mpich or mpi: openmpi beside it"
            )
        if info.data.get("mpicc", "mpicc") != "mpicc":
            raise ValueError("mode hybrid uses no mpicc; leave mpicc out, or write mode: bind")
        return mode

    @field_validator("pmi")
    @classmethod
    def _pmi_is_for_srun(cls, pmi: str | None, info: ValidationInfo) -> str | None:
        launcher = info.data.get("launcher", "srun")
        if pmi is not None and not is_srun(launcher):
            raise ValueError(f"is an option of srun; launcher is {launcher}")
        return pmi

    @field_validator("launcher_template")
    @classmethod
    def _template_is_filled(cls, words: list[str], info: ValidationInfo) -> list[str]:
        if not words:
            return words
        if is_srun(info.data.get("launcher", "")):
            raise ValueError("is for launchers that weft does not know; for srun leave it out")
        if info.data.get("mpi") == "auto":
            raise ValueError("does not show which MPI it is; add mpi: mpich or mpi: openmpi")
        try:
            named = {name for word in words for _, name, *_ in Formatter().parse(word) if name}
        except ValueError as error:
            raise ValueError(f"cannot be read: {error}") from error
        if wrong := sorted(named - set(PLACEHOLDERS)):
            known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
            raise ValueError(f"has no placeholder {{{wrong[0]}}}; there are {known}")
        return words

    @field_validator("idle_nodes")
    @classmethod
    def _idle_nodes_are_known(cls, what: str | None, info: ValidationInfo) -> str | None:
        if what is None:
            return what
        if info.data.get("allocation", "wrong") is None:
            raise ValueError(
                "is for nodes of an allocation; write allocation: one, or the most nodes that it "
                "may have, beside it"
            )
        words = info.data.get("launcher_template", [])
        if words and not any("{host_file}" in word for word in words):
            raise ValueError(
                "needs a launcher that starts a program on a given node; add {host_file} to "
                "launcher_template"
            )
        return what

    @field_validator("binds")
    @classmethod
    def _binds_are_for_images(cls, binds: list[str], info: ValidationInfo) -> list[str]:
        if binds and info.data.get("mode") == "native":
            raise ValueError(
                "are mounted into the image, and mode native uses none; write mode: bind or hybrid"
            )
        return _absolute(binds, "/opt/openmpi")

    @field_validator("readable")
    @classmethod
    def _readable_is_absolute(cls, folders: list[str]) -> list[str]:
        return _absolute(folders, "/data/traces")

    @field_validator("ranks_per_node")
    @classmethod
    def _ranks_fit(cls, per_node: int | None, info: ValidationInfo) -> int | None:
        ranks = info.data.get("ranks")
        if per_node is not None and ranks is not None and per_node > ranks:
            raise ValueError(f"{per_node} ranks per node, but machine.ranks allows {ranks}")
        return per_node

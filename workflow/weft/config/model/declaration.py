"""Declared engines: `configs/engine/<name>.yaml` says what an engine is, and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, get_args

from pydantic import AfterValidator, Field, model_validator

from weft.config.language.section import Settings
from weft.tables.declared import DECLARED

#: Types of options whose values are numbers with a unit, and what that adds to the spec's name.
UNIT_SUFFIXES = {"time": "_s", "rate": "_bytes_per_s", "size": "_bytes"}
NAME = r"^[a-z][a-z0-9_]*$"
_BOUNDS = ("minimum", "maximum", "above", "below")
_BOUNDED = ("integer", "number", *UNIT_SUFFIXES)


def _one_line(text: str) -> str:
    if "\n" in text.strip():
        raise ValueError("write one line")
    return text.strip()


if TYPE_CHECKING:
    FilledTable = str
else:
    FilledTable = Literal["samples", *DECLARED]
Line = Annotated[str, Field(min_length=1), AfterValidator(_one_line)]
Bound = int | float | str
WorkloadKind = Literal["messages", "traffic", "program"]
#: What metrics depend on: a search gives others than its traffic at one rate.
MetricKind = Literal["messages", "traffic", "saturation", "program"]
ProgramKind = Literal["crate", "command", "image", "external", "machine"]


#: MPI libraries whose own choice of algorithms a choice by size may name.
LIBRARIES = ("mpich", "openmpi")
#: The value by which a measurement leaves the algorithm to the machine's library.
OF_THE_LIBRARY = "library"


def spec_key(key: str, kind: str) -> str:
    """The name that an option of type `kind` has in a spec: `flit_size` is `flit_bytes` there."""
    stem = key.removesuffix("_size") if kind == "size" else key
    return stem + UNIT_SUFFIXES.get(kind, "")


class Option(Settings):
    """One key that an experiment may set for an engine."""

    description: Line
    """What it means, in one line."""
    type: Literal["choice", "integer", "number", "boolean", "text", "file", "time", "rate", "size"]
    """The type of its value. Times, rates and sizes are written with a unit. A file is named by its
    path from the project, and its content is a part of the point."""
    several: bool = False
    """Whether its value is a list of these."""
    keyed: bool = False
    """Whether its value is a section that maps any names to these, like `{global: 10}`."""
    nullable: bool = False
    """Whether `null` may take the place of a default that is not `null`."""
    allowed: Annotated[list[str], Field(min_length=1)] | None = None
    """The values of a choice, or words that an integer may be instead."""
    by_size: bool = False
    """Whether the value of a choice may also be a table with rows like `{up_to: 2 KiB, use: ring}`,
    which choose by the size of a message and the number of ranks. A spec holds it as rules:
    `bytes<=2048: ring; bruck`."""
    fills: list[FilledTable] = Field(default_factory=list)
    """The side tables that are written where this boolean is true."""
    minimum: Bound | None = None
    """The smallest value, written as a value is."""
    maximum: Bound | None = None
    """The greatest value."""
    above: Bound | None = None
    """An exclusive lower bound."""
    below: Bound | None = None
    """An exclusive upper bound."""
    of: WorkloadKind | None = None
    """The only kind of workload whose points contain it; other points do not change with it."""
    default: object = None
    """The value unless given; `null` leaves the key out, and without this key every experiment
    must give a value."""

    @model_validator(mode="after")
    def _of_one_kind(self) -> Option:
        if (self.type == "choice") != (self.allowed is not None) and self.type != "integer":
            raise ValueError(
                "a choice lists its values under 'allowed', an integer may list words there"
            )
        if self.several and self.keyed:
            raise ValueError("a value is either a list (several) or a section (keyed)")
        if self.of and self.required:
            raise ValueError("an option of one kind of workload (of) needs a default")
        if self.by_size and (self.type != "choice" or self.several or self.keyed):
            raise ValueError("only one value of a choice may be a table of sizes (by_size)")
        if self.fills and self.type != "boolean":
            raise ValueError("only a boolean fills tables")
        if self.type == "file" and (self.several or self.keyed):
            raise ValueError("a file option names one file; declare several options")
        if self.allowed and len(set(self.allowed)) < len(self.allowed):
            raise ValueError("a value is listed twice under 'allowed'")
        if self.bounds and self.type not in _BOUNDED:
            raise ValueError(f"bounds are for {', '.join(_BOUNDED)}; not for a {self.type}")
        return self

    @property
    def bounds(self) -> dict[str, Bound]:
        """The bounds that are given, as written."""
        given = {name: getattr(self, name) for name in _BOUNDS}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def required(self) -> bool:
        """Whether every experiment must give a value."""
        return "default" not in self.model_fields_set


Plain = str | int | float | bool


class Refusal(Settings):
    """Points that an engine does not answer although it supports every value in them."""

    when: str
    """A condition as in `when` of a sweep, on keys of the spec: `options.model == max_min`. The
    last key is the one that the message is about."""
    because: Line
    """Why, and what is allowed instead."""


class VirtualChannels(Settings):
    """Which keys of a spec decide the virtual channels. weft refuses points with fewer of them than
    their routing needs against deadlocks."""

    count: str
    """The key with their number, like `options.virtual_channels`."""
    count_of_network: str | None = None
    """The key of the network that has their number instead, in points that carry it."""
    ring_classes: str | None = None
    """The key that says how those of a ring are divided."""
    ring_classes_of_network: str | None = None
    """The key of the network that says so instead, in points that carry it."""
    own_buffers: str | None = None
    """The key that is true where packets never share a buffer."""
    unless_given: int | None = None
    """How many there are in points without the key of their number."""


class Routers(Settings):
    """What a router of the engine can have. weft refuses graphs with more, and names the line."""

    most_links: int
    """Links to other routers, at most."""
    most_nodes: int
    """Nodes, at most."""


class LeftOut(Settings):
    """Something that an engine's prediction leaves out; pages say it beside its numbers."""

    text: Line
    """What is left out, as a sentence without its full stop."""
    when: str | None = None
    """Only of points for which this condition holds, as in `refuses`; of all unless given."""


#: Lowest first. Engines of one level are equally near to the machine.
Fidelity = Literal["formula", "flow", "packet", "machine"]
FIDELITIES: tuple[Fidelity, ...] = get_args(Fidelity)


class EngineFile(Settings):
    """A file in `configs/engine/`; its name is the engine's name."""

    description: Line
    """What the engine is, in one line."""
    program: ProgramKind
    """Where `weft-<name>` comes from: the crate `simulators/<name>` (`crate`), a command on the
    PATH (`command`), or only the image of `containers/<name>.def` (`image`). With `external` a
    module of weft drives somebody else's program; with `machine` weft measures the machine
    itself."""
    answers: Annotated[list[WorkloadKind], Field(min_length=1)]
    """Kinds of workloads that it answers."""
    fidelity: Fidelity = "formula"
    """How close it is to the real network, lowest first. Errors refer to the engine with the
    highest fidelity that answered."""
    metrics: list[str] | dict[MetricKind, list[str]] | None = None
    """The metrics that it may report, besides its cost and what programs measure themselves; any
    unless given. Where they differ by kind of workload, a list for each; `saturation` is traffic
    with that `search`."""
    leaves_out: list[LeftOut] = Field(default_factory=list)
    """What its predictions leave out."""
    network_sections: bool | Literal["program"] = False
    """Whether its points contain `packet`, `router`, `cables`, `nic` and `software` of the network;
    `program`: only points of programs do. Points without them do not change with them."""
    network_costs: bool | Literal["program"] = False
    """Whether its points contain `costs` of the network, as `network_sections`; a calibration then
    fits these too."""
    program_source: bool = False
    """Whether its points of programs contain the path and the digest of the C source, arguments and
    input. Engines that list programs under `supports` have formulas for them: their points contain
    the arguments alone."""
    one_sided: bool = True
    """Whether programs may put and get (`MGEN_rdma_…`). Without it weft refuses those that do so
    and never ask `MGEN_rdma_available`."""
    static_routes: bool = False
    """Whether it answers only routings whose ways source and destination alone decide; weft then
    refuses the others."""
    side_tables: list[FilledTable] | dict[FilledTable, list[WorkloadKind]] = Field(
        default_factory=list
    )
    """Tables that it may write beside its journal, as `<table>-<point_id>.csv`. Where not all kinds
    of workload have them, those of each table."""
    supports: dict[str, list[Plain]] = Field(default_factory=dict)
    """By key of the spec (`topology.kind`): the only values there that it answers."""
    virtual_channels: VirtualChannels | None = None
    """Where points say how many virtual channels there are, if the engine has them."""
    routers: Routers | None = None
    """What its routers can have, if that is limited."""
    refuses: list[Refusal] = Field(default_factory=list)
    """Combinations of values that it does not answer."""
    options: dict[str, Option] = Field(default_factory=dict)
    """Its options. Their names do not end with a unit, because the type implies it."""

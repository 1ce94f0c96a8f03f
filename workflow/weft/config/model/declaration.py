"""Declared engines: `configs/engine/<name>.yaml` says what an engine is, and its options."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from weft.config.language.section import Settings

#: Types of options whose values are numbers with a unit, and what that adds to the spec's name.
UNIT_SUFFIXES = {"time": "_s", "rate": "_bytes_per_s", "size": "_bytes"}
NAME = r"^[a-z][a-z0-9_]*$"
_BOUNDS = ("minimum", "maximum", "above", "below")
_BOUNDED = ("integer", "number", *UNIT_SUFFIXES)


def _one_line(text: str) -> str:
    if "\n" in text.strip():
        raise ValueError("write one line")
    return text.strip()


SideTable = Literal["samples", "messages", "links", "nodes", "buffers", "series", "congestion"]
Line = Annotated[str, Field(min_length=1), AfterValidator(_one_line)]
Bound = int | float | str
ProgramKind = Literal["crate", "command", "image", "external", "machine"]


def spec_key(key: str, kind: str) -> str:
    """The name that an option of type `kind` has in a spec: `flit_size` is `flit_bytes` there."""
    stem = key.removesuffix("_size") if kind == "size" else key
    return stem + UNIT_SUFFIXES.get(kind, "")


class Option(Settings):
    """One key that an experiment may set for an engine."""

    description: Line
    """What it means, in one line."""
    type: Literal["choice", "integer", "number", "boolean", "text", "file", "time", "rate", "size"]
    """What its value is; times, rates and sizes are written with a unit, a file by its path from
    the project, and what is in it counts."""
    several: bool = False
    """Whether its value is a list of these."""
    keyed: bool = False
    """Whether its value is a section that maps any names to these, like `{global: 10}`."""
    nullable: bool = False
    """Whether `null` may take the place of a default that is not `null`."""
    allowed: Annotated[list[str], Field(min_length=1)] | None = None
    """The values of a choice; words that may stand for an integer."""
    minimum: Bound | None = None
    """The least value, in the way a value is written."""
    maximum: Bound | None = None
    """The greatest value."""
    above: Bound | None = None
    """An exclusive lower bound."""
    below: Bound | None = None
    """An exclusive upper bound."""
    default: Any = None
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
    """Points that an engine does not answer though it knows every value in them."""

    when: str
    """A condition as in `when` of a sweep, on keys of the spec: `options.model == max_min`. The
    last key is the one that the message is about."""
    because: Line
    """Why, and what is allowed instead."""


class VirtualChannels(Settings):
    """Where a spec has what decides on virtual channels. What routings need so that packets cannot
    deadlock is known; points with less are refused."""

    count: str
    """The key with their number, like `options.virtual_channels`."""
    ring_classes: str | None = None
    """The key that says how those of a ring are divided."""
    own_buffers: str | None = None
    """The key that is true where packets never share a buffer."""


class LeftOut(Settings):
    """Something that an engine's prediction leaves out; pages say it beside its numbers."""

    text: Line
    """What is left out, as a sentence without its full stop."""
    when: str | None = None
    """Only of points for which this condition holds, as in `refuses`; of all unless given."""


#: Lowest first. Engines of one level are equally near to the machine.
FIDELITIES = ("formula", "flow", "packet", "machine")


class EngineFile(Settings):
    """A file in `configs/engine/`; its name is the engine's name."""

    description: Line
    """What the engine is, in one line."""
    program: ProgramKind
    """Where `weft-<name>` comes from: the crate `simulators/<name>`, a command on the PATH, only
    the image of `containers/<name>.def`; or a module of weft drives a program of others
    (`external`), or it is the machine itself that is measured."""
    answers: Annotated[list[Literal["messages", "traffic", "program"]], Field(min_length=1)]
    """Kinds of workloads that it answers."""
    fidelity: Literal["formula", "flow", "packet", "machine"] = "formula"
    """How near it is to the real network, lowest first. Errors are measured from the engine with
    the highest fidelity that answered."""
    metrics: list[str] | None = None
    """The metrics that it may give, beside what it costs and what programs measure themselves; any
    unless given."""
    leaves_out: list[LeftOut] = Field(default_factory=list)
    """What its predictions leave out."""
    network_sections: bool = False
    """Whether its points carry `packet`, `router`, `cables`, `nic` and `software` of the network.
    Points of other engines lack them, and do not change with them."""
    program_source: bool = False
    """Whether its points of programs carry the path and the digest of the C source, arguments and
    input. Engines that know a program by formula need none of them."""
    side_tables: list[SideTable] = Field(default_factory=list)
    """Tables that it may leave beside its journal, as `<table>-<point_id>.csv`."""
    supports: dict[str, list[Plain]] = Field(default_factory=dict)
    """By key of the spec (`topology.kind`): the only values there that it answers."""
    virtual_channels: VirtualChannels | None = None
    """Where points say how many virtual channels there are, if the engine has them."""
    refuses: list[Refusal] = Field(default_factory=list)
    """Combinations of values that it does not answer."""
    options: dict[str, Option] = Field(default_factory=dict)
    """Its options. Their names do not end with a unit, because the type has it."""

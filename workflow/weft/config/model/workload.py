"""Workloads: who sends what to whom, and when."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal, cast

from pydantic import (
    BeforeValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from weft.config.language.errors import unknown
from weft.config.language.number_or_word import or_word
from weft.config.language.quantities import Sizes
from weft.config.language.section import FilePath, Settings, SpecName
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.program_files import BuildSpec, NamedProgram, ProgramFiles, build_files
from weft.tables.traces import ENDING

#: What simulators count in 32 bits.
MessageCount = Annotated[int, Field(ge=1, le=2**32 - 1)]
Node = Annotated[int, Field(ge=0)]
MessageBytes = Annotated[Sizes, SpecName("message_bytes")]
if TYPE_CHECKING:
    Pattern = str
    InjectionProcess = str
    Search = str
    Outstanding = int | Literal["all"]
else:
    Pattern = Literal[tuple(each.name for each in CATALOGUE.patterns if each.needs != "file")]
    InjectionProcess = Literal[tuple(CATALOGUE.workloads.injection_processes)]
    Search = Literal[tuple(CATALOGUE.workloads.searches)]
    Outstanding = or_word(MessageCount, ["all"])


#: What may stand for something else in arguments of programs.
PLACEHOLDERS = ("{message_bytes}", "{input}")
PLACEHOLDER = re.compile(r"\{[A-Za-z_]\w*\}")


def _argument(value: object) -> object:
    return str(value) if type(value) in (int, float) else value


#: Of `rank_to_node`, those that need no further option.
Placement = Literal["linear", "block", "random", "measured"]
Argument = Annotated[str, BeforeValidator(_argument)]


def placeholders(value: list[str] | None, info: ValidationInfo) -> list[str] | None:
    """The arguments of a program; what stands for something else in them must be there.

    Raises ValueError otherwise.
    """
    named = {name for text in value or () for name in PLACEHOLDER.findall(text)}
    for name in sorted(named):
        if name not in PLACEHOLDERS:
            raise ValueError(unknown("placeholder", name, PLACEHOLDERS))
    if "{message_bytes}" in named and info.data.get("message_size", ()) is None:
        raise ValueError("an argument is {message_bytes}, so message_size is required")
    if "{input}" in named and info.data.get("input", ()) is None:
        raise ValueError("an argument is {input}, so input is required, like 'data/x.csv'")
    if info.data.get("input") is not None and "{input}" not in named:
        raise ValueError("input is given, but no argument is {input}: add '{input}'")
    return value


class Workload(Settings):
    """Base of all workloads."""


class Patterned(Workload):
    """Base of workloads that a pattern describes."""

    pattern: Pattern | Literal["file"]
    """Who sends to whom; `file` reads the list from `file`."""
    include_self: bool = False
    """Whether random patterns may pick the sender itself."""
    hotspot_nodes: Annotated[list[Node], Field(min_length=1)] | None = None
    """For `hotspot`: the nodes that draw messages."""
    hotspot_fraction: Annotated[float, Field(gt=0, le=1)] | None = None
    """For `hotspot`: the share of messages that they draw."""

    @model_validator(mode="after")
    def _hotspot_complete(self) -> Patterned:
        given = (self.hotspot_nodes is not None, self.hotspot_fraction is not None)
        if any(given) and self.pattern != "hotspot":
            raise ValueError("hotspot_nodes and hotspot_fraction belong to pattern: hotspot")
        if not all(given) and self.pattern == "hotspot":
            raise ValueError("pattern: hotspot needs hotspot_nodes and hotspot_fraction")
        return self


class Messages(Patterned):
    """A closed list: every node sends its messages, and the last arrival ends the run."""

    kind: Literal["messages"]
    per_node: MessageCount = 1
    """Messages of each node."""
    outstanding: Outstanding | None = None
    """Messages that a node has under way at a time; 1 sends them one after another. 1 unless given;
    `all` with `pattern: file`, so that its start times apply."""
    message_size: Annotated[Sizes | None, SpecName("message_bytes")] = None
    """Size of a message; several sizes are an axis inside the point."""
    file: Annotated[str | None, FilePath()] = None
    """CSV or Parquet with src, dst, bytes and optionally start_s; path from the project."""

    @model_validator(mode="after")
    def _file_or_pattern(self) -> Messages:
        if self.pattern == "file" and self.file is None:
            raise ValueError("pattern: file needs the key file, like 'traces/halo.csv'")
        if self.pattern != "file" and self.file is not None:
            raise ValueError("the key file belongs to pattern: file")
        if self.pattern == "file" and self.message_size is not None:
            raise ValueError(
                "the file gives the sizes of messages, but the experiment or its workload group "
                "gives message_size; start from 'override /workload: trace', or write "
                "message_size: null"
            )
        if self.pattern != "file" and self.message_size is None:
            raise ValueError("message_size is required, like '2 KiB'")
        return self

    def spec(self) -> dict[str, object]:
        """As the base class; a file replaces the count and the sizes of messages, and is sent as
        its start times say."""
        count = "all" if self.pattern == "file" else 1
        found = {"outstanding": count, **super().spec()}
        if self.pattern != "file":
            return found
        kept = ("kind", "pattern", "file", "outstanding")
        return {**{key: found[key] for key in kept}, "message_bytes": []}


class Traffic(Patterned):
    """Every node keeps sending; the rates are measured."""

    kind: Literal["traffic"]
    pattern: Pattern
    """Who sends to whom."""
    injection_rate: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the link's bandwidth that a node offers; 1.0 is saturation: each node always has a
    message to send."""
    search: Search | None = None
    """Find the injection rate at which the network saturates, up to `injection_rate`."""
    injection_process: InjectionProcess | None = None
    """When messages are created: at random in each cycle, which is the default, or in bursts."""
    burst_messages: Annotated[float, Field(gt=1)] | None = None
    """For `on_off`: messages of a burst, on average."""
    burst_rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """For `on_off`: share of the link's bandwidth that a node offers within a burst; 1.0 unless
    given."""
    message_size: MessageBytes
    """Size of a message; several sizes are an axis inside the point."""
    per_node: MessageCount = 100
    """Messages of each node, for engines that measure until the first node has sent all of its
    messages."""

    @field_validator("message_size")
    @classmethod
    def _some_bytes(cls, sizes: list[int]) -> list[int]:
        if 0 in sizes:
            raise ValueError("traffic of empty messages has no rate; give 1 B or more")
        return sizes

    @model_validator(mode="after")
    def _bursts_complete(self) -> Traffic:
        if self.injection_process != "on_off":
            if self.burst_messages is not None or self.burst_rate is not None:
                raise ValueError(
                    "burst_messages and burst_rate belong to injection_process: on_off"
                )
            return self
        if self.burst_messages is None:
            raise ValueError("injection_process: on_off needs burst_messages, like 8")
        if self.injection_rate >= (self.burst_rate or 1.0):
            raise ValueError(
                f"bursts at a rate of {self.burst_rate or 1.0} average less than that; "
                f"injection_rate is {self.injection_rate}, must be below it"
            )
        return self

    def spec(self) -> dict[str, object]:
        """As the base class; the default process is left out, the rate of bursts is not."""
        found = super().spec()
        if self.injection_process == "on_off":
            return {**found, "burst_rate": self.burst_rate or 1.0}
        found.pop("injection_process", None)
        return found


class Ranked(Workload):
    """Base of workloads of several ranks, which run on nodes."""

    placement: Placement | None = None
    """Where ranks run, in every engine that places them: a short form of their `rank_to_node`.
    `measured` are the nodes on which a measurement of the same experiment ran."""


class Program(Ranked):
    """A program of several ranks, in C or C++, which the hardware runs and simulators predict."""

    kind: Literal["program"]
    program: NamedProgram
    """The name of its source without `.c`: a file beside the experiment file, else in
    `programs/`. For a program of several files: `sources`, `include`, `defines`, `flags`,
    `language`. For one that its own Makefile builds: `build`."""
    ranks: Annotated[int, Field(ge=1)] = 2
    """Processes, one on each of the first nodes unless `placement` or the engine places them
    otherwise."""
    message_size: Annotated[Sizes | None, SpecName("message_bytes")] = None
    """Size of a message; several sizes are an axis inside the point. Programs with sizes of their
    own need none."""
    input: Annotated[str | None, FilePath()] = None
    """A file that the program reads; path from the project."""
    arguments: Annotated[list[Argument] | None, Field(validate_default=True)] = None
    """Arguments of the program's command line; `{message_bytes}` and `{input}` stand for the size
    and the path of `input`. If no argument names the size, it comes first."""

    _placeholders = field_validator("arguments")(placeholders)

    def spec(self) -> dict[str, object]:
        """As the base class; where ranks run, the options of engines hold."""
        found = super().spec()
        found.pop("placement", None)
        return found

    @property
    def program_name(self) -> str:
        """What results call it."""
        if isinstance(self.program, ProgramFiles):
            return self.program.needed_name or ""
        return self.program

    def with_source(self, source: str | None, build: BuildSpec | None = None) -> Program:
        """What an engine gets: the program with the path of `source` and, if it has several files,
        what is compiled; else name and sizes alone."""
        plain = {key: getattr(self, key) for key in Program.model_fields}
        plain["program"] = self.program_name
        if source is None:
            nothing = {"arguments": None, "input": None, "program": self.program_name}
            return self.model_copy(update=nothing)
        return SourceProgram.model_construct(**plain, source=source, build=build)


class SourceProgram(Program):
    """A program for engines that run its source."""

    source: Annotated[str, FilePath()]
    build: dict[str, object] | None = None
    """Of a program of several files: a `BuildSpec`."""

    @property
    def files(self) -> list[str]:
        """Every file of the program, by its path from the project."""
        return build_files(cast("BuildSpec", self.build)) if self.build else [self.source]

    @property
    def file(self) -> str | None:
        """Of the replay of a trace: the trace, as experiments call it."""
        return self.input if (self.input or "").endswith(ENDING) else None

    def spec(self) -> dict[str, object]:
        """As the base class; keys that are not given have empty values."""
        nothing: dict[str, object] = {"message_bytes": None, "arguments": [], "input": None}
        return {**nothing, **super().spec()}

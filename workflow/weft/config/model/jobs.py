"""Jobs: several programs on one network at once."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from weft.config.language.number_or_word import or_word
from weft.config.language.quantities import Size, Time
from weft.config.language.section import FilePath, ProjectFile, Settings
from weft.config.model.program_files import NamedProgram
from weft.config.model.trace import Trace
from weft.config.model.workload import Argument, Program, SourceProgram, Workload, placeholders
from weft.tables.metrics import MOST_JOBS
from weft.tables.traces import ENDING

#: A job that begins later than this is a mistake, in seconds.
_LATEST_S = 1e6

Repeat = or_word(Annotated[int, Field(ge=1, le=1_000_000)], ["until_others_end"])


class JobEntry(Settings):
    """One of several programs that run at once: its ranks are a world of their own."""

    program: NamedProgram | None = None
    """What it runs, as the key `program` of the workload of this name; or give `trace`."""
    trace: Annotated[str | None, ProjectFile()] = None
    """Instead of a program: a trace (`*.weft-trace`) that is replayed; path from the project."""
    ranks: Annotated[int, Field(ge=1)] | None = None
    """Its processes. Required with `program`; a trace has its own."""
    message_size: Size | None = None
    """Size of the program's messages, if it takes one."""
    input: Annotated[str | None, ProjectFile()] = None
    """A file that the program reads; path from the project."""
    arguments: list[Argument] | None = Field(None, validate_default=True)
    """Arguments of the program's command line, as in the workload `program`."""
    start: Time = 0.0
    """When it begins, like `10 us`; at once unless given."""
    repeat: Repeat = 1  # type: ignore[valid-type]
    """How often it runs: a number, or `until_others_end`. A run begins when all ranks of the one
    before have ended."""

    _placeholders = field_validator("arguments")(placeholders)

    @field_validator("start")
    @classmethod
    def _soon(cls, start: float) -> float:
        if start >= _LATEST_S:
            raise ValueError(f"a job begins before {_LATEST_S:g} s")
        return start

    @field_validator("trace")
    @classmethod
    def _ending(cls, trace: str | None) -> str | None:
        if trace is not None and not trace.endswith(ENDING):
            raise ValueError(f"a trace ends in {ENDING}; `weft trace` makes one of other formats")
        return trace

    @model_validator(mode="after")
    def _runs_one_thing(self) -> JobEntry:
        if (self.program is None) == (self.trace is None):
            raise ValueError("a job needs one of program and trace")
        if self.program is not None and self.ranks is None:
            raise ValueError("a job with a program needs ranks, like 16")
        of_programs = (self.message_size, self.input, self.arguments)
        if self.trace is not None and any(given is not None for given in of_programs):
            raise ValueError("message_size, input and arguments belong to program, not to trace")
        return self

    @property
    def workload(self) -> Program | Trace:
        """The same as the workload of an experiment that it has for itself."""
        if self.program is None:
            return Trace.model_construct(kind="trace", file=self.trace, ranks=self.ranks)
        return Program.model_construct(
            kind="program",
            program=self.program,
            ranks=self.ranks,
            placement=None,
            message_size=None if self.message_size is None else [self.message_size],
            input=self.input,
            arguments=self.arguments,
        )


class Jobs(Workload):
    """Several programs at once on one network, and what they cost each other: each job runs beside
    the others, and then alone on its nodes."""

    kind: Literal["jobs"]
    jobs: Annotated[list[JobEntry], Field(min_length=1, max_length=MOST_JOBS)]
    """The programs, each with its ranks; their ranks follow each other."""
    placement: Literal["linear", "random", "by_group", "file"] | None = None
    """Where ranks run: on nodes in order, one job behind the other (`linear`), or each in groups of
    its own (`by_group`); on nodes drawn by the seed (`random`); or as `placement_file` says
    (`file`). A node runs one job."""
    group_nodes: Annotated[int, Field(ge=1)] | None = None
    """For `by_group`: nodes of a group, like those that reach each other without leaving their part
    of the network. The topology has a whole number of groups."""
    placement_file: Annotated[str | None, FilePath()] = None
    """For `file`: CSV with the columns rank and node; ranks count over all jobs in order. Path from
    the project."""

    @model_validator(mode="after")
    def _placed(self) -> Jobs:
        for placement, key in (("by_group", "group_nodes"), ("file", "placement_file")):
            given = getattr(self, key) is not None
            if self.placement == placement and not given:
                raise ValueError(f"placement: {placement} needs the key {key}")
            if self.placement is None and given:
                raise ValueError(f"{key} needs placement: {placement}")
        if all(job.repeat == "until_others_end" for job in self.jobs):
            raise ValueError("every job runs until the others end; give one of them a number")
        return self

    @property
    def used_file(self) -> str | None:
        """The file that places ranks; None where something else does."""
        return self.placement_file if self.placement == "file" else None


class ReadyJobs(SourceProgram):
    """Jobs for engines that run the source of each; `source` is that of a job whose computing they
    leave out, if there is one. Keys that a sweep may vary are those of the experiment."""

    jobs: list[JobEntry]
    placement_file: str | None
    programs: list[SourceProgram]
    starts_s: list[float]
    repeats: list[int | str]
    group_nodes: int | None

    @property
    def files(self) -> list[str]:
        """Every file of every program, by its path from the project."""
        return [file for program in self.programs for file in program.files]

    @property
    def file(self) -> str | None:
        """There is no trace that stands for all jobs."""
        return None

    def spec(self) -> dict[str, object]:
        """As the base class, with a workload for each job."""
        found = super().spec()
        for key in ("placement_file", "programs", "starts_s", "repeats"):
            found.pop(key, None)
        each = zip(self.programs, self.starts_s, self.repeats, strict=True)
        jobs = [
            {**program.spec(), "start_s": start_s, "repeat": repeat}
            for program, start_s, repeat in each
        ]
        return {**found, "jobs": jobs}


def ready(jobs: Jobs, programs: list[SourceProgram], source: str) -> ReadyJobs:
    """The jobs as engines get them, with the program of each."""
    names = dict.fromkeys(program.program_name for program in programs)
    return ReadyJobs.model_construct(
        kind="program",
        program=" and ".join(names),
        ranks=sum(program.ranks for program in programs),
        placement=jobs.placement,
        message_size=None,
        input=None,
        arguments=None,
        source=source,
        build=None,
        jobs=jobs.jobs,
        placement_file=jobs.placement_file,
        programs=programs,
        starts_s=[job.start for job in jobs.jobs],
        repeats=[job.repeat for job in jobs.jobs],
        group_nodes=jobs.group_nodes if jobs.placement == "by_group" else None,
    )

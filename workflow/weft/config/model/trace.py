"""Traces: the calls of a program that ran somewhere."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from weft.config.language.section import FilePath
from weft.config.model.program_files import ProgramFiles
from weft.config.model.workload import Program, Ranked
from weft.tables.traces import ENDING


class Trace(Ranked):
    """The calls of a program that ran somewhere, which simulators make again."""

    #: The program that makes them.
    sources: ClassVar = tuple(
        f"programs/replay/{name}.c"
        for name in ("main", "read", "messages", "collectives", "communicators", "files", "windows")
    )

    kind: Literal["trace"]
    file: Annotated[str, FilePath()]
    """A trace (`*.weft-trace`): who called what, and how long it computed before; path from the
    project."""
    ranks: Annotated[int, Field(ge=1)] | None = None
    """How many ranks the trace must have; any number unless given."""

    @field_validator("file")
    @classmethod
    def _ending(cls, file: str) -> str:
        if not file.endswith(ENDING):
            raise ValueError(f"a trace ends in {ENDING}; `weft trace` makes one of other formats")
        return file

    def program(self, ranks: int) -> Program:
        """The program that replays a trace of so many ranks."""
        return Program.model_construct(
            kind="program",
            program=ProgramFiles(name="replay", sources=list(self.sources)),
            ranks=ranks,
            placement=self.placement,
            message_size=None,
            input=self.file,
            arguments=["{input}"],
        )

"""Machines: how programs are started where weft runs. Not part of any point."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from weft.config.base import Settings, SpecName
from weft.config.quantities import Time
from weft.config.topology import Count


class Machine(Settings):
    """How MPI programs are built and launched."""

    launcher: Annotated[str, Field(min_length=1)] = "mpiexec"
    """The launcher: a name, first looked for in the environment, or a path."""
    launcher_arguments: list[str] = Field(default_factory=list)
    """Further arguments of the launcher."""
    mpicc: Annotated[str, Field(min_length=1)] = "mpicc"
    """The MPI compiler: a name, first looked for in the environment, or a path."""
    ranks: Count = 4
    """Most ranks that a program may have here."""
    bind: Literal["none", "core", "socket", "numa"] = "none"
    """What each rank is bound to."""
    oversubscribe: bool = True
    """Whether several ranks may share a core."""
    timeout: Annotated[Time, SpecName("timeout_s")] = 120.0
    """A program that runs longer is stopped and its point fails; 120 s unless given."""

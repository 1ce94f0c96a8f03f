"""Figures of what a program does: its calls, and what its ranks send to each other."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from weft.config.model.figure import Figure


class ProgramCalls(Figure):
    """In which calls the ranks of a program spend their time, and how much of it they wait."""

    count: Annotated[int, Field(ge=1, le=100)] = 12
    """How many calls are shown, those that take most time."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The calls of each rank."""
        return ("calls",)


class RankPairs(Figure):
    """The communication matrix of a program: what each rank sends to each other one."""

    of: Literal["bytes", "messages"] = "bytes"
    """What is counted."""

    @property
    def tables(self) -> tuple[str, ...]:
        """What ranks sent to each other."""
        return ("rank_pairs",)


class RankTimeline(Figure):
    """What each rank of a program does over time: it computes, is in a call, or waits."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The states of ranks in intervals of time."""
        return ("rank_timeline",)


class CriticalPath(Figure):
    """What bounds the time of a program: the ranks, calls and messages of its critical path."""

    count: Annotated[int, Field(ge=1, le=100)] = 12
    """How many parts are shown, those that take most time."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The parts of the path."""
        return ("critical_path",)

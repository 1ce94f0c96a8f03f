"""Traces in the Open Trace Format 2, as Score-P and others write them.

The Python package `otf2` reads them. It is not among weft's own packages, since few need it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from weft.tables.traces import TraceError, TraceRow
from weft.traces.communicators import ALONE, Communicator, Communicators, communicators
from weft.traces.otf2_calls import RankCalls
from weft.traces.otf2_library import (
    CommunicatorDefinition,
    Otf2Definition,
    Otf2Group,
    Otf2Trace,
    value_name,
)

ENDING = ".otf2"
_PACKAGE = "reading OTF2 needs the Python package otf2: .venv/bin/python -m pip install otf2"
#: Events that the package reads in one go.
_BATCH = 1 << 13


def otf2_ranks(source: Path) -> int:
    """How many ranks of MPI the trace has.

    Raises TraceError when it cannot be read.
    """
    with _opened(source) as trace:
        return len(_locations(source, trace))


def otf2_rows(source: Path, say: Callable[[str], None] = lambda _: None) -> Iterator[TraceRow]:
    """The rows of all ranks; the events of one are read at a time.

    `say` gets what the rows count otherwise than the trace, if anything.
    Raises TraceError with rank and time.
    """
    with _opened(source) as trace:
        ranks = len(_locations(source, trace))
        groups = communicators(ranks, _groups(source, trace), shared=False)
    with_files = 0
    for rank in range(ranks):
        with _opened(source) as trace:
            yield from groups.made_by(rank)
            with_files += yield from _rank(trace, _locations(source, trace)[rank], rank, groups)
    if with_files:
        say(f"{with_files} of {ranks} ranks read or write files; this time counts as computing")


def _rank(
    trace: Otf2Trace, location: Otf2Definition, rank: int, groups: Communicators[object]
) -> Generator[TraceRow, None, bool]:
    """The rows of a rank; returns whether it uses files."""

    def communicator(definition: CommunicatorDefinition) -> Communicator | None:
        if definition._ref in groups.by_name:
            return groups.by_name[definition._ref]
        group = getattr(definition, "group", None)
        return Communicator(ALONE, (rank,)) if _kind(group) == "COMM_SELF" else None

    calls = RankCalls(rank, trace.timer_resolution, communicator)
    for _, event in trace.events([location]):
        yield from calls.rows(event)
    yield from calls.last()
    return calls.uses_files


@contextmanager
def _opened(source: Path) -> Iterator[Otf2Trace]:
    try:
        import _otf2
        import otf2
    except ImportError as error:
        raise TraceError(_PACKAGE) from error
    try:
        with otf2.reader.open(str(source), batch_events=_BATCH) as trace:
            yield trace
    except (_otf2.Error, otf2.error.TraceReaderError) as error:
        raise TraceError(f"{source} is no whole trace of OTF2: {error}") from error


def _locations(source: Path, trace: Otf2Trace) -> Sequence[Otf2Definition]:
    """The location of each rank of MPI."""
    for group in trace.definitions.groups:
        if _kind(group) == "COMM_LOCATIONS":
            return tuple(group.members)
    raise TraceError(f"{source} has no group of MPI's ranks: is it a trace of a program of MPI?")


def _kind(group: Otf2Group | None) -> str:
    """What a group of MPI's ranks is for; empty for any other, and for none."""
    if group is None or value_name(group.paradigm) != "MPI":
        return ""
    return value_name(group.group_type)


def _groups(source: Path, trace: Otf2Trace) -> dict[object, list[int]]:
    """The ranks of each communicator, by OTF2's number of it."""
    rank_of = {each._ref: rank for rank, each in enumerate(_locations(source, trace))}
    found: dict[object, list[int]] = {}
    for each in trace.definitions.comms:
        group = getattr(each, "group", None)
        if group is not None and _kind(group) == "COMM_GROUP" and group.members:
            found[each._ref] = [rank_of[location._ref] for location in group.members]
    return found

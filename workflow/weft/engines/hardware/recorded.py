"""Files of the recorder `hardware/trace/`, one for each rank, as rows of a trace."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from weft.tables.traces import NOBODY, TraceError, TraceRow

MAGIC = b"weft-re4"
ENDING = ".rec"
_FIELDS = ("peer", "bytes", "tag", "comm", "request", "element_bytes", "file")
#: Bits of what differs in an event, apart from those of the first fields, which are in this order.
_MORE, _OF_FILE = 64, 128
_BITS = (1, 2, 4, 8, 16, 32, _OF_FILE)
_END = 255
#: Ticks of the recorder's clock, the same time in nanoseconds, and the tick at its begin.
_SPAN = struct.Struct("=qqq")
#: Bytes of a file that are held at a time.
_CHUNK = 1 << 20


class CutError(TraceError):
    """A rank was not recorded to its end."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call as its row of a trace, and how long the rank was in it."""

    row: TraceRow
    name: str
    """As the program calls it: a trace has fewer names."""
    inside_s: float
    begin_s: float = 0.0
    """When the call began, by the clock of its node, since rank 0 began."""


class _Reader:
    """Numbers of seven bits a byte, one after the other; a piece of the file at a time."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path, self.file = path, file
        self.content = file.read(_CHUNK)
        self.at = len(MAGIC) + _SPAN.size
        if not self.content.startswith(MAGIC) or len(self.content) < self.at:
            raise TraceError(f"{path} was not written by the recorder")
        ticks, nanoseconds, self.started = _SPAN.unpack_from(self.content, len(MAGIC))
        #: 0 in a file that is cut.
        self.tick_s = nanoseconds * 1e-9 / ticks if ticks else 0.0

    def byte(self) -> int:
        """The next byte."""
        if self.at >= len(self.content):
            self.content, self.at = self.file.read(_CHUNK), 0
        if not self.content:
            raise CutError(
                f"{self.path} is cut: the rank did not come to MPI_Finalize, or the disk was full"
            )
        self.at += 1
        return self.content[self.at - 1]

    def number(self) -> int:
        """The next number."""
        found, shift = 0, 0
        while (byte := self.byte()) >= 128:
            found |= (byte & 127) << shift
            shift += 7
        found |= byte << shift
        return (found >> 1) ^ -(found & 1)

    def text(self) -> str:
        """The next text, behind its length."""
        return bytes(self.byte() for _ in range(self.number())).decode()


@contextmanager
def _opened(path: Path) -> Iterator[_Reader]:
    with path.open("rb") as file:
        yield _Reader(path, file)


def recorded_ranks(folder: Path) -> int:
    """How many ranks the recorder has written of.

    Raises TraceError if some are missing.
    """
    files = sorted(folder.glob(f"rank-*{ENDING}"))
    if not files:
        raise TraceError("no rank was recorded: does the command start a program of MPI?")
    with _opened(files[0]) as reader:
        ranks = reader.number()
    missing = [rank for rank in range(ranks) if not _file(folder, rank).is_file()]
    if missing:
        raise TraceError(f"rank {missing[0]} of {ranks} was not recorded")
    return ranks


def recorded_rows(folder: Path, ranks: int) -> Iterator[TraceRow]:
    """The rows of all ranks. Raises as `recorded_calls`."""
    return (call.row for call in recorded_calls(folder, ranks))


def recorded_calls(folder: Path, ranks: int) -> Iterator[RecordedCall]:
    """The calls of all ranks, those of rank 0 first.

    Raises TraceError for a file that is cut, and for calls that traces do not have.
    """
    clock: _Clock | None = None
    for rank in range(ranks):
        with _opened(_file(folder, rank)) as reader:
            # All ranks by the clock of the first: how long a tick takes, each has measured itself.
            clock = clock or _Clock(reader.started, reader.tick_s)
            yield from _calls(reader, rank, clock)


def is_of_one_node(folder: Path, ranks: int) -> bool:
    """Whether all ranks have seen one clock."""
    boots = set()
    for rank in range(ranks):
        with _opened(_file(folder, rank)) as reader:
            reader.number(), reader.number()
            boots.add(reader.text())
    return len(boots) == 1 and "" not in boots


def _file(folder: Path, rank: int) -> Path:
    return folder / f"rank-{rank}{ENDING}"


@dataclass(frozen=True, slots=True)
class _Clock:
    started: int
    tick_s: float

    def time_s(self, tick: int) -> float:
        return (tick - self.started) * self.tick_s


def _calls(reader: _Reader, rank: int, clock: _Clock) -> Iterator[RecordedCall]:
    reader.number(), reader.number(), reader.text()
    names = [reader.text().split("/") for _ in range(reader.number())]
    last = [[0] * len(_FIELDS) for _ in names]
    now = reader.started
    while (call := reader.byte()) != _END:
        differs, lost = reader.byte(), reader.number()
        ticks, inside = reader.number(), reader.number()
        numbers = last[call]
        for place, bit in enumerate(_BITS):
            if differs & bit:
                numbers[place] = reader.number()
        more = [reader.number() for _ in range(reader.number())] if differs & _MORE else None
        row = cast("TraceRow", dict(zip(_FIELDS, numbers, strict=True)))
        if row["peer"] == NOBODY:
            del row["peer"]
        # A file is 1 and its number, or 0.
        row["file"] -= 1
        own: TraceRow = {"rank": rank, "call": names[call][-1], "compute_s": ticks * reader.tick_s}
        own["more"] = more
        begin = now + lost + ticks
        now = begin + inside
        inside_s, begin_s = inside * reader.tick_s, clock.time_s(begin)
        yield RecordedCall({**own, **row}, names[call][0], inside_s, begin_s)
    if unseen := reader.text():
        raise TraceError(f"rank {rank} calls {unseen}, which traces do not have")

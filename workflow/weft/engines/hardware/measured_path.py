"""The critical path of a recorded program: what the last rank to end did, back to the begin.

From the end of a call the path goes back to its begin, or to the call of the rank that this one
waited for, if that began later: the sender of its message, or the last rank that came to a
collective. What a call does from then on, such as the way of the message, is one piece: a machine
does not know its parts.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from weft.engines.hardware.known_groups import KnownGroups
from weft.engines.hardware.measured_calls import Arrival, Cause, MeasuredCalls
from weft.engines.hardware.recorded import RecordedCall

#: Calls of a program beyond which no path is kept: about 400 bytes each.
MOST_CALLS = 500_000


@dataclass(slots=True)
class _Course:
    """The calls of a rank: begins and ends, names, and what they may wait for."""

    begins_s: array[float] = field(default_factory=lambda: array("d"))
    ends_s: array[float] = field(default_factory=lambda: array("d"))
    names: list[str] = field(default_factory=list)
    causes: dict[int, list[Cause]] = field(default_factory=dict)
    #: When what is recorded of the rank begins.
    start_s: float = 0.0


@dataclass(frozen=True, slots=True)
class PathPiece:
    """Time of the path: of computing without a call, or in a call behind a message, if any."""

    rank: int
    call: str | None
    message: tuple[int, int] | None
    time_s: float


#: Rank, call, state, source, destination, pieces, seconds.
PathRow = tuple[int, str | None, str, int | None, int | None, int, float]


class MeasuredPath:
    """The calls of all ranks, whose clocks agree, and the path through them."""

    def __init__(self, groups: KnownGroups) -> None:
        self._calls = MeasuredCalls(groups)
        self._courses: dict[int, _Course] = {}
        self._count = 0

    @property
    def notes(self) -> list[str]:
        """What the path lacks, if anything."""
        if not self._is_whole:
            many = f"the program makes more than {MOST_CALLS:,} calls"
            return [f"{many}: the table critical_path is left out"]
        if unknown := self._calls.unknown:
            what = f"{unknown} receives whose senders are not known"
            return [f"critical_path goes on in its rank at {what}, behind one of any rank or tag"]
        return []

    @property
    def _is_whole(self) -> bool:
        return self._count <= MOST_CALLS

    def add(self, call: RecordedCall) -> None:
        """The next call of a rank, which the groups know already."""
        self._count += 1
        if not self._is_whole:
            self._courses.clear()
            return
        row = call.row
        course = self._courses.setdefault(row["rank"], _Course())
        if not course.names:
            course.start_s = call.begin_s - row["compute_s"]
        if causes := self._calls.add(row, call.begin_s):
            course.causes[len(course.names)] = causes
        course.begins_s.append(call.begin_s)
        course.ends_s.append(call.begin_s + call.inside_s)
        course.names.append(call.name)

    def rows(self) -> list[PathRow]:
        """The pieces of one kind together, the longest first."""
        sums: dict[tuple[int, str | None, tuple[int, int] | None], list[float]] = defaultdict(list)
        for piece in self.pieces():
            sums[piece.rank, piece.call, piece.message].append(piece.time_s)
        found: list[PathRow] = []
        for (rank, call, message), times in sums.items():
            source, destination = message or (None, None)
            state = "call" if call else "compute"
            name = f"MPI_{call}" if call else None
            found.append((rank, name, state, source, destination, len(times), sum(times)))
        return sorted(found, key=lambda row: (-row[-1], row[0]))

    def pieces(self) -> Iterator[PathPiece]:
        """The path, the last piece first."""
        if not self._courses:
            return
        rank = max(self._courses, key=lambda each: self._courses[each].ends_s[-1])
        place = len(self._courses[rank].names) - 1
        at_s = self._courses[rank].ends_s[place]
        while place >= 0:
            course = self._courses[rank]
            begin_s, name = course.begins_s[place], course.names[place]
            cause = self._latest(rank, course.causes.get(place, ()), begin_s, at_s)
            if cause is not None:
                other, arrival = cause
                message = (arrival.rank, rank) if other.kind == "sent" else None
                yield PathPiece(rank, name, message, at_s - arrival.at_s)
                rank, at_s = arrival.rank, arrival.at_s
                place = self._behind(rank, at_s)
                begin_s = at_s
                course = self._courses[rank]
            elif at_s > begin_s and name != "Compute":
                yield PathPiece(rank, name, None, at_s - begin_s)
            before_s = course.ends_s[place - 1] if place > 0 else course.start_s
            if begin_s > before_s:
                yield PathPiece(rank, None, None, begin_s - before_s)
            place, at_s = place - 1, before_s

    def _behind(self, rank: int, at_s: float) -> int:
        """The call of a rank that begins at a time, which one of its calls does."""
        return bisect_left(self._courses[rank].begins_s, at_s)

    def _latest(
        self, rank: int, causes: Sequence[Cause], begin_s: float, at_s: float
    ) -> tuple[Cause, Arrival] | None:
        """The last of what a call waited for, if another rank began it within the call."""
        found = [(cause, each) for cause in causes for each in self._calls.arrivals(cause)]
        within = [
            (cause, each)
            for cause, each in found
            if each.rank != rank and begin_s < each.at_s < at_s
        ]
        return max(within, key=lambda pair: pair[1].at_s, default=None)

"""Which calls of a recorded program wait for which calls of other ranks.

Messages match by communicator, ranks and tag, in the order of their calls; collectives match by
their number in a communicator. A receive of any rank or any tag names no sender, so that a rank
with one matches no receive of that communicator.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Literal

from weft.engines.hardware.known_groups import Group, KnownGroups
from weft.tables.traces import ANY, CALLS, TraceRow

#: Sender, receiver and tag in a communicator, and which message of those it is.
Message = tuple[Group, int, int, int, int]
#: A communicator, and which collective of it.
Meeting = tuple[Group, int]
_SENDS = frozenset(
    name for name in CALLS if name.lower().removeprefix("i") in ("send", "ssend", "rsend")
)
_RECEIVES = frozenset({"Recv", "Irecv"})
_FROM_ROOT = frozenset({"bcast", "scatter", "scatterv"})
_TO_ROOT = frozenset({"reduce", "gather", "gatherv"})
_ORDERED = frozenset({"scan", "exscan"})
_ALL = frozenset({
    "barrier", "allreduce", "allgather", "allgatherv", "alltoall", "alltoallv", "reduce_scatter",
    "reduce_scatter_block", "comm_split", "cart_create", "dist_graph_create_adjacent", "comm_dup",
    "win_create", "win_allocate_shared", "win_fence", "win_free",
})  # fmt: skip
_OF_NEIGHBOURS = frozenset({"Neighbor_alltoallv", "Ineighbor_alltoallv"})
#: Tags of the messages between neighbours, one for each direction: no other message has them.
_WAYS = (-10, -11)
_COLLECTIVES = _FROM_ROOT | _TO_ROOT | _ORDERED | _ALL


@dataclass(frozen=True, slots=True)
class Cause:
    """What a call may wait for: that a message is sent or received, or that others arrive."""

    #: Of a collective: all others, the root at `place`, or those below it.
    kind: Literal["sent", "received", "all", "root", "below"]
    message: Message | None = None
    meeting: Meeting | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Arrival:
    """A rank has begun what another one may wait for."""

    at_s: float
    rank: int
    place: int = 0


class MeasuredCalls:
    """The calls of all ranks, while they are read."""

    def __init__(self, groups: KnownGroups) -> None:
        self._groups = groups
        self._sent: dict[Message, Arrival] = {}
        self._received: dict[Message, Arrival] = {}
        self._met: dict[Meeting, list[Arrival]] = defaultdict(list)
        #: Receives whose senders are not known.
        self.unknown = 0
        self._count: Counter[object] = Counter()
        self._open: dict[tuple[int, int], list[Cause]] = {}
        self._blind: set[tuple[Group, int]] = set()

    def add(self, row: TraceRow, begin_s: float) -> list[Cause]:
        """What the next call of a rank waits for; the groups know the call already."""
        call, rank = row["call"], row["rank"]
        if call == "Wait":
            return self._ended(rank, [row["request"]])
        if call == "Waitall":
            return self._ended(rank, row["more"] or [])
        found = self._begun(row, begin_s)
        if CALLS[call].has_request:
            # A request that waits for nobody hides an older one of its number.
            self._open.pop((rank, row["request"]), None)
            if found:
                self._open[rank, row["request"]] = found
            return []
        return found

    def arrivals(self, cause: Cause) -> list[Arrival]:
        """When other ranks began what a call may wait for; all calls must have been read."""
        if cause.meeting is not None:
            met = self._met[cause.meeting]
            if cause.kind == "root":
                return [each for each in met if each.place == cause.place]
            return [each for each in met if cause.kind == "all" or each.place < cause.place]
        table = self._sent if cause.kind == "sent" else self._received
        return [table[cause.message]] if cause.message in table else []

    def _ended(self, rank: int, requests: list[int]) -> list[Cause]:
        return [cause for each in requests for cause in self._open.pop((rank, each), [])]

    def _begun(self, row: TraceRow, begin_s: float) -> list[Cause]:
        call = row["call"]
        if call == "Sendrecv":
            source, _, tag = row["more"] or (ANY, 0, ANY)
            back: TraceRow = {**row, "peer": source, "tag": tag}
            return [*self._send(row, begin_s), *self._receive(back, begin_s)]
        if call in _SENDS:
            return self._send(row, begin_s)
        if call in _RECEIVES:
            return self._receive(row, begin_s)
        if call in _OF_NEIGHBOURS:
            return self._exchange(row, begin_s)
        name = call.lower()
        kind = name if name in _COLLECTIVES else name.removeprefix("i")
        return self._meet(row, begin_s, kind) if kind in _COLLECTIVES else []

    def _send(self, row: TraceRow, begin_s: float) -> list[Cause]:
        peer = row.get("peer", ANY)
        if peer < 0:
            return []
        group = self._groups.group(row)
        key = group, self._groups.own_place(group, row["rank"]), peer, row["tag"]
        message = *key, self._next("sent", key)
        self._sent[message] = Arrival(begin_s, row["rank"])
        return [Cause("received", message)]

    def _receive(self, row: TraceRow, begin_s: float) -> list[Cause]:
        peer, tag, rank = row.get("peer"), row["tag"], row["rank"]
        if peer is None:
            return []
        group = self._groups.group(row)
        if ANY in (peer, tag):
            self._blind.add((group, rank))
        if (group, rank) in self._blind:
            self.unknown += 1
            return []
        if peer < 0:
            return []
        key = group, peer, self._groups.own_place(group, rank), tag
        message = *key, self._next("received", key)
        self._received[message] = Arrival(begin_s, rank)
        return [Cause("sent", message)]

    def _exchange(self, row: TraceRow, begin_s: float) -> list[Cause]:
        rank, group = row["rank"], self._groups.group(row)
        own, neighbours = self._groups.own_place(group, rank), self._groups.neighbours(group, rank)
        for place, way in neighbours.destinations:
            key = group, own, place, _WAYS[way]
            self._sent[*key, self._next("sent", key)] = Arrival(begin_s, rank)
        found = []
        for place, way in neighbours.sources:
            key = group, place, own, _WAYS[way]
            found.append(Cause("sent", (*key, self._next("received", key))))
        return found

    def _meet(self, row: TraceRow, begin_s: float, kind: str) -> list[Cause]:
        rank, group = row["rank"], self._groups.group(row)
        meeting = group, self._next("met", (group, rank))
        own, root = self._groups.own_place(group, rank), row.get("peer", ANY)
        self._met[meeting].append(Arrival(begin_s, rank, own))
        if kind in _ALL or (kind in _TO_ROOT and own == root):
            return [Cause("all", meeting=meeting)]
        if kind in _FROM_ROOT and own != root:
            return [Cause("root", meeting=meeting, place=root)]
        return [Cause("below", meeting=meeting, place=own)] if kind in _ORDERED else []

    def _next(self, what: str, key: object) -> int:
        number = self._count[what, key]
        self._count[what, key] += 1
        return number

"""The events of one rank in an OTF2 trace, as calls of MPI.

Sources: the Open Trace Format 2, version 3, events of MPI; Score-P 8 for the bytes that a
collective sends and receives.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from weft.tables.traces import TraceError, TraceRow
from weft.traces.communicators import Communicator
from weft.traces.otf2_collectives import collective
from weft.traces.otf2_library import CommunicatorDefinition, Event

#: Regions that send in another way than `MPI_Send` and `MPI_Isend`.
_SENDS = {"MPI_Ssend": "Ssend", "MPI_Rsend": "Rsend"}
_ISENDS = {"MPI_Issend": "Issend", "MPI_Irsend": "Irsend"}
_BOTH_WAYS = frozenset({"MPI_Sendrecv", "MPI_Sendrecv_replace"})
#: Calls on files send no messages: their time is the rank's own.
_FILES = "MPI_File_"


@dataclass(slots=True)
class _Held:
    """A row in its place; `ready` when all of it is known. None where the call was cancelled."""

    row: TraceRow | None
    ready: bool


@dataclass(slots=True)
class RankCalls:
    """The calls of one rank, from its events in their order.

    Only the end of a nonblocking receive or collective says what it was. The rows behind its begin
    wait for that.
    """

    rank: int
    ticks_per_s: float
    communicator: Callable[[CommunicatorDefinition], Communicator | None]
    #: Regions of MPI that the rank is in, the outermost first.
    regions: list[str] = field(default_factory=list)
    #: Since when the rank computes, in ticks; None before its first event, and inside of MPI.
    since: int | None = None
    now: int = 0
    compute_s: float = 0.0
    held: deque[_Held] = field(default_factory=deque)
    #: What goes on, by OTF2's number: its row, and its request here.
    open: dict[int, tuple[_Held, int]] = field(default_factory=dict)
    #: Numbers of requests that are free again, as a heap, and how many numbers there are.
    free: list[int] = field(default_factory=list)
    numbers: int = 0
    #: Requests that ended in this region, and what a call both ways has sent and received.
    ended: list[int] = field(default_factory=list)
    both: dict[str, TraceRow] = field(default_factory=dict)
    begun: bool = False
    #: Whether the rank reads or writes files, which counts as computing.
    uses_files: bool = False

    def wrong(self, what: str) -> TraceError:
        """A mistake of this rank, with the time at which it happened."""
        return TraceError(f"rank {self.rank} at {self.now / self.ticks_per_s:.9f} s: {what}")

    def rows(self, event: Event) -> Iterator[TraceRow]:
        """The rows that are complete with this event.

        Raises TraceError for what traces do not have.
        """
        self.now, name = event.time, type(event).__name__
        if not self.begun:
            self.begun, self.since = True, self.now
        take = _TAKERS.get(name)
        if take is not None:
            take(self, event)
        elif name == "IoOperationBegin":
            self.uses_files = True
        elif name.startswith("Rma"):
            raise self.wrong("one-sided communication, which weft does not read from OTF2")
        while self.held and self.held[0].ready:
            row = self.held.popleft().row
            if row is not None:
                yield row

    def last(self) -> Iterator[TraceRow]:
        """What the rank computed behind its last call.

        Raises TraceError where a receive or a collective never ended.
        """
        if self.held:
            what = self.held[0].row
            raise self.wrong(f"{what['call'] if what else 'a call'} of this rank never ends")
        if self.since is not None:
            self._computed()
        yield {"rank": self.rank, "call": "Compute", "compute_s": self.compute_s}

    def enter(self, event: Event) -> None:
        """Computing ends where a region of MPI begins."""
        name = event.region.name
        self.uses_files |= name.startswith(_FILES)
        if not name.startswith("MPI_") or name.startswith(_FILES):
            return
        if not self.regions:
            self._computed()
            if name in ("MPI_Init", "MPI_Init_thread"):
                self.compute_s = 0.0
        self.regions.append(name)

    def leave(self, event: Event) -> None:
        """Computing begins where the outermost region of MPI ends."""
        if not self.regions or event.region.name != self.regions[-1]:
            return
        self.regions.pop()
        if self.regions:
            return
        if self.both:
            self._put_both()
        if self.ended:
            self._put_waits()
        self.since = self.now

    def send(self, event: Event) -> None:
        """`MPI_Send` and its like."""
        row = self._message(event, event.receiver)
        if self._region in _BOTH_WAYS:
            self.both["to"] = row
        else:
            self._put({"call": _SENDS.get(self._region, "Send"), **row})

    def receive(self, event: Event) -> None:
        """`MPI_Recv` and its like."""
        row = self._message(event, event.sender)
        if self._region in _BOTH_WAYS:
            self.both["from"] = row
        else:
            self._put({"call": "Recv", **row})

    def begin_send(self, event: Event) -> None:
        """`MPI_Isend` and its like, also a persistent one that starts."""
        row = self._message(event, event.receiver)
        held = self._put({"call": _ISENDS.get(self._region, "Isend"), **row})
        self._begin(held, event.request_id)

    def begin(self, event: Event) -> None:
        """A nonblocking receive or collective begins; what it is comes with its end."""
        held = self._put({"call": "a nonblocking call"}, ready=False)
        self._begin(held, event.request_id)

    def end_send(self, event: Event) -> None:
        """A nonblocking send has ended."""
        self._end(event)

    def end_receive(self, event: Event) -> None:
        """A nonblocking receive has ended, and now it is known from whom."""
        self._end(event, {"call": "Irecv", **self._message(event, event.sender)})

    def end_collective(self, event: Event) -> None:
        """A nonblocking collective has ended, and now it is known which."""
        row = self._collective(event)
        if row is None:
            self._drop(event)
        else:
            self._end(event, {**row, "call": f"I{row['call'].lower()}"})

    def cancel(self, event: Event) -> None:
        """A receive that was taken back receives nothing."""
        if event.request_id in self.open and self.open[event.request_id][0].ready:
            raise self.wrong("a send that was cancelled, which traces do not have")
        self._drop(event)

    def collective(self, event: Event) -> None:
        """A collective; communicators exist from the start, so making one takes no time."""
        row = self._collective(event)
        if row is not None:
            self._put(row)

    @property
    def _region(self) -> str:
        return self.regions[-1] if self.regions else ""

    def _computed(self) -> None:
        if self.since is not None:
            self.compute_s += (self.now - self.since) / self.ticks_per_s
        self.since = None

    def _put(self, row: TraceRow, ready: bool = True) -> _Held:
        if not self.regions:
            # Without regions around its calls, a rank computes until they end.
            self._computed()
            self.since = self.now
        held = _Held({"rank": self.rank, "compute_s": self.compute_s, **row}, ready)
        self.compute_s = 0.0
        self.held.append(held)
        return held

    def _put_both(self) -> None:
        sent, received = self.both.get("to"), self.both.get("from")
        self.both = {}
        if sent is None or received is None:
            call = "Send" if sent is not None else "Recv"
            self._put({"call": call, **(sent or received or {})})
            return
        more = [received["peer"], received["bytes"], received["tag"]]
        self._put({"call": "Sendrecv", **sent, "more": more})

    def _put_waits(self) -> None:
        ended, self.ended = self.ended, []
        for request in ended:
            heappush(self.free, request)
        if len(ended) == 1:
            self._put({"call": "Wait", "request": ended[0]})
        else:
            self._put({"call": "Waitall", "more": ended})

    def _begin(self, held: _Held, name: int) -> None:
        request = heappop(self.free) if self.free else self.numbers
        self.numbers = max(self.numbers, request + 1)
        self.open[name] = (held, request)
        if held.row is not None:
            held.row["request"] = request

    def _opened(self, event: Event) -> tuple[_Held, int]:
        if event.request_id not in self.open:
            raise self.wrong(f"request {event.request_id} ends without a begin")
        return self.open.pop(event.request_id)

    def _drop(self, event: Event) -> None:
        held, request = self._opened(event)
        held.row, held.ready = None, True
        heappush(self.free, request)

    def _end(self, event: Event, row: TraceRow | None = None) -> None:
        held, request = self._opened(event)
        if row is not None and held.row is not None:
            held.row |= row
            held.ready = True
        self.ended.append(request)
        if not self.regions:
            self._put_waits()

    def _of(self, event: Event) -> Communicator:
        found = self.communicator(event.communicator)
        if found is None:
            raise self.wrong("a communicator between two groups, which traces do not have")
        return found

    def _message(self, event: Event, peer: int) -> TraceRow:
        number = self._of(event).number
        return {"peer": peer, "tag": event.msg_tag, "bytes": event.msg_length, "comm": number}

    def _collective(self, event: Event) -> TraceRow | None:
        return collective(event, self._of(event), self.rank, self.wrong)


_TAKERS: Mapping[str, Callable[[RankCalls, Event], None]] = {
    "Enter": RankCalls.enter,
    "Leave": RankCalls.leave,
    "MpiSend": RankCalls.send,
    "MpiRecv": RankCalls.receive,
    "MpiIsend": RankCalls.begin_send,
    "MpiIsendComplete": RankCalls.end_send,
    "MpiIrecvRequest": RankCalls.begin,
    "MpiIrecv": RankCalls.end_receive,
    "MpiRequestCancelled": RankCalls.cancel,
    "MpiCollectiveEnd": RankCalls.collective,
    "NonBlockingCollectiveRequest": RankCalls.begin,
    "NonBlockingCollectiveComplete": RankCalls.end_collective,
}

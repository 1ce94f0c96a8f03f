"""Operations with dependencies, in an order that one rank can follow."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from weft.tables.traces import CALLS, TraceError, TraceRow


@dataclass(slots=True)
class Operation:
    """One call, or none where `row` is None, and the places of the operations that it needs.

    `wrong` makes a mistake that names the operation. A row whose call has a request gets one here.
    """

    wrong: Callable[[str], TraceError]
    row: TraceRow | None
    #: Operations that must have ended, and all that must come before.
    ended: list[int] = field(default_factory=list)
    before: list[int] = field(default_factory=list)

    @property
    def has_request(self) -> bool:
        """Whether the call goes on behind the rank's back until something waits for it."""
        return self.row is not None and CALLS[self.row["call"]].has_request


def in_order(operations: Sequence[Operation]) -> Iterator[TraceRow]:
    """The operations, each behind all that it needs; others stay in their order.

    A wait stands before the first operation that needs the end of a call, and at the end. Raises
    TraceError when an operation needs itself.
    """
    needed_by: list[list[int]] = [[] for _ in operations]
    for number, operation in enumerate(operations):
        for before in operation.before:
            needed_by[before].append(number)
    missing = [len(operation.before) for operation in operations]
    ready = [number for number, count in enumerate(missing) if count == 0]
    open_requests: dict[int, int] = {}
    free: list[int] = []
    done = 0
    while ready:
        number = heapq.heappop(ready)
        operation = operations[number]
        done += 1
        awaited = sorted(open_requests.pop(each) for each in {*operation.ended} & {*open_requests})
        yield from _wait(awaited)
        free += awaited
        if operation.row is not None and operation.has_request:
            request = free.pop() if free else len(open_requests)
            open_requests[number] = request
            yield {**operation.row, "request": request}
        elif operation.row is not None:
            yield operation.row
        for other in needed_by[number]:
            missing[other] -= 1
            if missing[other] == 0:
                heapq.heappush(ready, other)
    if done < len(operations):
        first = next(o for o, count in zip(operations, missing, strict=True) if count)
        raise first.wrong("the operation depends on itself, through others or directly")
    yield from _wait(sorted(open_requests.values()))


def _wait(requests: list[int]) -> Iterator[TraceRow]:
    if len(requests) == 1:
        yield {"call": "Wait", "request": requests[0]}
    elif requests:
        yield {"call": "Waitall", "more": requests}

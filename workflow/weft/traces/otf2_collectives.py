"""What a collective in an OTF2 trace was: its call, its root, and the bytes of one block.

OTF2 stores what a rank sends and receives in sum; MPI's calls count one block. Source: Score-P 8,
which counts a rank's own block too, unless the call works in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from weft.tables.traces import TraceError, TraceRow
from weft.traces.communicators import Communicator
from weft.traces.otf2_library import Event, value_name

Wrong = Callable[[str], TraceError]
#: What is sent and received in sum, the place in the communicator, its size; the bytes of a block.
_Block = Callable[[int, int, int, int], int | None]


def _whole(total: int, blocks: int) -> int | None:
    """The bytes of one of so many blocks; None where they are no whole number."""
    if blocks == 0:
        return None if total else 0
    return total // blocks if total % blocks == 0 else None


def _none(_sent: int, _received: int, _place: int, _size: int) -> int | None:
    return 0


def _one_way(smaller: int, larger: int, size: int) -> int | None:
    """Of a rank that has one block itself; in place, the root counts those of the others."""
    if larger == 0:
        return smaller
    return smaller if smaller else _whole(larger, size - 1)


def _one_to_all(sent: int, received: int, _place: int, size: int) -> int | None:
    return _one_way(received, sent, size)


def _all_to_one(sent: int, received: int, _place: int, size: int) -> int | None:
    return _one_way(sent, received, size)


def _all_to_all(sent: int, _received: int, _place: int, size: int) -> int | None:
    """As many blocks as ranks, or one less in place; where both are whole, not in place."""
    block = _whole(sent, size)
    return block if block is not None else _whole(sent, size - 1)


def _equal(sent: int, received: int, place: int, size: int) -> int | None:
    """Of a call with blocks of different sizes: known where this rank's is the mean of all."""
    return _all_to_all(sent, received, place, size) if sent == received else None


def _prefix(sent: int, received: int, place: int, size: int) -> int | None:
    """A rank sends to those behind it, and to itself, unless the call works in place."""
    block = _whole(sent + received, size + 1)
    if block is not None and sent == (size - place) * block:
        return block
    return _whole(sent + received, size - 1)


def _exclusive_prefix(sent: int, received: int, _place: int, size: int) -> int | None:
    return _whole(sent + received, size - 1)


_COLLECTIVES: Mapping[str, tuple[str, _Block]] = {
    "BARRIER": ("Barrier", _none),
    "BCAST": ("Bcast", _one_to_all),
    "SCATTER": ("Scatter", _one_to_all),
    "GATHER": ("Gather", _all_to_one),
    "REDUCE": ("Reduce", _all_to_one),
    "ALLGATHER": ("Allgather", _all_to_all),
    "ALLTOALL": ("Alltoall", _all_to_all),
    "ALLREDUCE": ("Allreduce", _all_to_all),
    "REDUCE_SCATTER_BLOCK": ("Reduce_scatter_block", _all_to_all),
    "ALLGATHERV": ("Allgather", _equal),
    "REDUCE_SCATTER": ("Reduce_scatter_block", _equal),
    "SCAN": ("Scan", _prefix),
    "EXSCAN": ("Exscan", _exclusive_prefix),
}
_ROOTED = frozenset({"Bcast", "Scatter", "Gather", "Reduce"})
_REDUCTIONS = frozenset({"Reduce", "Allreduce", "Reduce_scatter_block", "Scan", "Exscan"})
#: Collectives that make or free something and send no data.
_MAKE = ("CREATE_HANDLE", "DESTROY_HANDLE", "ALLOCATE", "DEALLOCATE")
#: Bytes of one element, the most usual first: OTF2 does not store types.
_ELEMENTS = (8, 4, 1)


def collective(event: Event, group: Communicator, rank: int, wrong: Wrong) -> TraceRow | None:
    """The row of a collective; None for one that makes or frees a communicator.

    Raises what `wrong` makes where the trace does not say enough.
    """
    name = value_name(event.collective_op)
    if name.startswith(_MAKE):
        return None
    if name not in _COLLECTIVES:
        raise wrong(
            f"{name}: OTF2 stores its bytes in sum, so nobody knows how much goes to which rank"
        )
    call, block_of = _COLLECTIVES[name]
    place, size = group.ranks.index(rank), len(group.ranks)
    block = block_of(event.size_sent, event.size_received, place, size)
    if block is None:
        raise wrong(
            f"{name} of {size} ranks sends {event.size_sent} B and receives"
            f" {event.size_received} B, which are no blocks of one size"
        )
    row: TraceRow = {"call": call, "comm": group.number, "bytes": block}
    if call in _ROOTED:
        if not 0 <= event.root < size:
            raise wrong(f"{name}: its root is {event.root}, ranks are 0 to {size - 1}")
        row["peer"] = event.root
    if call in _REDUCTIONS:
        row["element_bytes"] = next(each for each in _ELEMENTS if block % each == 0)
    return row

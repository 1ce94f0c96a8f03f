"""Neighbours in the topologies of recorded communicators."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from weft.tables.traces import TraceRow

#: Numbers in `more` before those of the topology.
_OF_SPLIT = 3


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Whom a rank receives from and sends to: places in the communicator, and the direction.

    A block that goes one way in a grid arrives that way: in a dimension of two ranks both
    neighbours of a rank are the same one. Graphs have one direction.
    """

    sources: tuple[tuple[int, int], ...] = ()
    destinations: tuple[tuple[int, int], ...] = ()


def neighbours_of(row: TraceRow) -> Neighbours:
    """Those that the row of a `Cart_create` or a `Dist_graph_create_adjacent` has."""
    more = row["more"] or []
    numbers = more[_OF_SPLIT:]
    if row["call"] == "Cart_create":
        return _of_grid(more[2], numbers[::2], numbers[1::2])
    places = [(place, 0) for place in numbers[1:]]
    return Neighbours(tuple(places[: numbers[0]]), tuple(places[numbers[0] :]))


def _of_grid(own: int, sizes: list[int], periods: list[int]) -> Neighbours:
    sources, destinations = [], []
    for dimension, (size, is_periodic) in enumerate(zip(sizes, periods, strict=True)):
        stride = prod(sizes[dimension + 1 :])
        at = own // stride % size
        for way, step in enumerate((-1, 1)):
            if is_periodic or 0 <= at + step < size:
                place = own + ((at + step) % size - at) * stride
                sources.append((place, 1 - way))
                destinations.append((place, way))
    return Neighbours(tuple(sources), tuple(destinations))

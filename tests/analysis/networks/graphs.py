"""Networks by their definitions, and their measures by asking every pair and every cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from math import prod

import numpy as np
from scipy.sparse.csgraph import shortest_path
from weft.analysis.networks.wiring import Wiring


def grid(sizes: Sequence[int], joined: Callable[[int, int, int], int], each: int = 1) -> Wiring:
    """Switches at the places of a grid, with `each` nodes; `joined` says how many channels lead
    from one coordinate to another of a dimension with so many."""
    places = list(product(*map(range, sizes)))
    channels = []
    for (a, one), (b, other) in product(enumerate(places), repeat=2):
        apart = [n for n, (x, y) in enumerate(zip(one, other, strict=True)) if x != y]
        if len(apart) == 1:
            (n,) = apart
            channels += [(a, b)] * joined(one[n], other[n], sizes[n])
    ends = [(node, node // each) for node in range(each * prod(sizes))]
    return Wiring(len(ends), len(places), ends, ends, channels)


def row(a: int, b: int, _: int) -> int:
    """Neighbours of a row."""
    return int(abs(a - b) == 1)


def ring(a: int, b: int, size: int) -> int:
    """Neighbours of a ring, upwards and downwards."""
    return int((a + 1) % size == b) + int((b + 1) % size == a)


def clique(_a: int, _b: int, _size: int) -> int:
    """All others."""
    return 1


def pair_distances(wiring: Wiring) -> tuple[float, int]:
    """Mean and longest of the shortest ways between two different nodes at one switch each."""
    far = shortest_path(wiring.whole, unweighted=True)
    start, end = (dict(pairs) for pairs in (wiring.sends, wiring.receives))
    found = [
        far[start[a], end[b]]
        for a, b in product(range(wiring.nodes), repeat=2)
        if a != b
    ]  # fmt: skip
    return float(np.mean(found)), int(max(found))


def smallest_bisection(wiring: Wiring) -> int:
    """The fewest links, each way, between halves of switches with equally many nodes each."""
    whole = wiring.whole.toarray()
    return min(
        min(int(whole[np.ix_(a, b)].sum()), int(whole[np.ix_(b, a)].sum()))
        for a, b in _halves(wiring.switches)
    )


def _halves(switches: int) -> Iterator[tuple[list[int], list[int]]]:
    for half in combinations(range(switches), switches // 2):
        yield list(half), sorted({*range(switches)} - {*half})

"""How far the nodes of a network are apart, counted link by link."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from weft.analysis.networks.facts import NodeDistances
from weft.analysis.networks.wiring import Pairs, Wiring

#: Ways are counted from so many places at most that steps over channels stay below this: 0.1 s.
_MOST_STEPS = 6_000_000
#: Nodes that send to the same switches, and receive from the same ones, are at one place.
_Place = tuple[tuple[int, ...], tuple[int, ...]]


def node_distances(wiring: Wiring) -> NodeDistances | None:
    """Links between switches on the shortest ways between all pairs of different nodes.

    Of a large network only the ways from some switches, evenly spread, are counted. None where no
    way leads from a node to another one.
    """
    places, counts = _places(wiring)
    enters, leaves = (
        _incidence([place[side] for place in places], wiring.switches) for side in (0, 1)
    )
    whole = wiring.whole
    forward = csr_array(
        (np.ones(whole.nnz, dtype=np.float32), whole.indices, whole.indptr), shape=whole.shape
    )
    asked = _spread(len(places), max(1, _MOST_STEPS // max(1, len(wiring.channels))))
    at = enters[asked].toarray()
    nodes, own = counts[asked], np.arange(len(asked))
    total, longest = 0.0, 0
    while True:
        far = (leaves @ at.T).T == 0
        missing = float(nodes @ far @ counts) - float(nodes @ far[own, asked])
        if not missing:
            break
        total, longest = total + missing, longest + 1
        reached = at + (forward.T @ at.T).T > 0
        if np.array_equal(reached, at > 0):
            return None
        at = reached.astype(np.float32)
    pairs = float(nodes.sum()) * float(counts.sum() - 1)
    part = len(asked) < len(places)
    return NodeDistances(
        total / pairs,
        longest,
        "about" if part else "exact",
        "at_least" if part else "exact",
    )


def _places(wiring: Wiring) -> tuple[list[_Place], npt.NDArray[np.float64]]:
    """The distinct places, and the number of nodes at each."""
    sends, receives = _by_node(wiring.sends), _by_node(wiring.receives)
    found = Counter((sends[node], receives[node]) for node in range(wiring.nodes))
    return list(found), np.fromiter(found.values(), dtype=np.float64)


def _by_node(pairs: Pairs) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = defaultdict(list)
    for node, switch in pairs:
        found[node].append(switch)
    return defaultdict(tuple, {node: tuple(sorted({*own})) for node, own in found.items()})


def _incidence(sets: Sequence[Sequence[int]], switches: int) -> csr_array:
    """A row for each set, with 1 at its switches."""
    rows = np.repeat(np.arange(len(sets)), [len(each) for each in sets])
    columns = np.fromiter((switch for each in sets for switch in each), dtype=np.int64)
    ones = np.ones(len(columns), dtype=np.float32)
    return csr_array((ones, (rows, columns)), shape=(len(sets), switches))


def _spread(count: int, most: int) -> npt.NDArray[np.int64]:
    """The numbers below `count`, or `most` of them in even steps."""
    return np.arange(count) if count <= most else np.arange(most) * count // most

"""Small cuts between halves of a network, found by trying."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csgraph, csr_array

from weft.analysis.networks.facts import HalvesCut
from weft.analysis.networks.wiring import Wiring

#: No cut is looked for in larger networks: it would take more than 0.1 s.
_MOST_CHANNELS, _MOST_UNITS = 20_000, 2_000
#: From so many switches halves grow outwards.
_STARTS = 8
#: Switches of both halves are exchanged where all of them have nodes, up to so many: 30 ms.
_MOST_EXCHANGED = 64
#: A whole number for each switch, or unit of switches, or pair of them.
Switches = npt.NDArray[np.int64]


def smallest_cut(wiring: Wiring) -> HalvesCut | None:
    """The cut of the fewest links among those between halves that are tried.

    A switch lies on the side of its nodes; one without nodes lies where it cuts fewest links. None
    where halves would not be as equal as that allows, and of large networks.
    """
    if len(wiring.channels) > _MOST_CHANNELS:
        return None
    unit, nodes = _units(wiring)
    if not 1 < len(nodes) <= _MOST_UNITS:
        return None
    best: HalvesCut | None = None
    whole = wiring.whole
    is_one_way = csr_array(whole - whole.T).count_nonzero() > 0
    for order in _orders(whole, unit, len(nodes)):
        half, smaller = _halved(order, nodes)
        if half is None:
            continue
        side = _sides(whole, half, unit, nodes)
        links = _links(whole, side)
        if is_one_way:
            links = min(links, _links(whole, np.where(side < 0, -1, 1 - side)))
        if best is None or links < best.links:
            best = HalvesCut(links, smaller, "at_most", alike=wiring.alike)
    return best


def _halved(order: Switches, nodes: Switches) -> tuple[Switches | None, int]:
    """For each unit 0 in the first half of the order, else 1, and the nodes of the smaller half.

    None where the order misses units, or no place in it is the middle but for one unit.
    """
    before = np.concatenate([[0], np.cumsum(nodes[order])])
    place = int(np.argmin(np.abs(2 * before - before[-1])))
    smaller = int(min(before[place], before[-1] - before[place]))
    if len(order) < len(nodes) or not smaller or before[-1] - 2 * smaller > nodes.max():
        return None, 0
    half = np.full(len(nodes), 1)
    half[order[:place]] = 0
    return half, smaller


def _sides(whole: csr_array, half: Switches, unit: Switches, nodes: Switches) -> Switches:
    """The side of each switch; -1 of those without nodes."""
    if len(nodes) == len(unit) <= _MOST_EXCHANGED:
        joined = csr_array(whole + whole.T).toarray()
        return exchanged(joined, half[unit], nodes[unit])
    return np.where(unit < 0, -1, half[unit])


def exchanged(joined: Switches, side: Switches, nodes: Switches) -> Switches:
    """Halves with fewer links between them, by exchanging switches with equally many nodes.

    As Kernighan and Lin (1970): all switches are exchanged pair by pair, the best pair first, and
    the best state on the way is kept, until that helps no more. `joined` counts the links of each
    pair of switches, `side` is 0 or 1 for each.
    """
    while True:
        sign = 2 * side - 1
        free = np.ones(len(side), dtype=bool)
        gained, best, kept = 0, 0, sign.copy()
        for _ in range(int(min(side.sum(), len(side) - side.sum()))):
            outward = -(joined @ sign) * sign
            gains = outward[:, None] + outward[None, :] - 2 * joined
            allowed = (sign[:, None] < sign) & free[:, None] & free & (nodes[:, None] == nodes)
            if not allowed.any():
                break
            most = int(np.argmax(np.where(allowed, gains, gains.min() - 1)))
            pair = list(divmod(most, len(side)))
            gained += int(gains.flat[most])
            sign[pair] *= -1
            free[pair] = False
            if gained > best:
                best, kept = gained, sign.copy()
        if best == 0:
            return side
        side = (kept + 1) // 2


def _units(wiring: Wiring) -> tuple[Switches, Switches]:
    """For each switch the number of its unit, -1 without nodes; and the nodes of each unit.

    Switches that share a node, as its rails, are one unit.
    """
    ends = np.asarray([*wiring.sends, *wiring.receives], dtype=np.int64).reshape(-1, 2)
    size = wiring.nodes + wiring.switches
    joined = coo_array(
        (np.ones(len(ends)), (ends[:, 0], wiring.nodes + ends[:, 1])), shape=(size, size)
    )
    _, of = csgraph.connected_components(joined, directed=False)
    named, counts = np.unique(of[: wiring.nodes], return_counts=True)
    numbers = np.full(of.max() + 1, -1)
    numbers[named] = np.arange(len(named))
    return numbers[of[wiring.nodes :]], counts


def _orders(whole: csr_array, unit: Switches, units: int) -> Iterator[Switches]:
    """Orders of the units: of their switches as numbered, by bandwidth, and outwards from some."""
    switches = whole.shape[0]
    yield _of_units(np.arange(switches), unit)
    both = csr_array(whole + whole.T)
    yield _of_units(csgraph.reverse_cuthill_mckee(both, symmetric_mode=True), unit)
    for start in np.flatnonzero(unit >= 0)[:: -(-units // _STARTS)]:
        near = csgraph.breadth_first_order(both, start, return_predecessors=False)
        yield _of_units(near, unit)


def _of_units(order: npt.NDArray[np.integer], unit: Switches) -> Switches:
    """The order in which a walk over switches meets units first."""
    met = unit[order]
    met = met[met >= 0]
    _, first = np.unique(met, return_index=True)
    found: Switches = met[np.sort(first)]
    return found


def _links(whole: csr_array, side: Switches) -> int:
    """Links from side 0 to side 1, with the switches of side -1 where they cut fewest."""
    switches = whole.shape[0]
    if not np.any(side < 0):
        return int(whole[side == 0][:, side == 1].sum())
    flow = csgraph.maximum_flow(_between(whole, side), switches, switches + 1)
    return int(flow.flow_value)


def _between(whole: csr_array, side: Switches) -> csr_array:
    """The network with a source before side 0 and a sink behind side 1, which nothing limits."""
    switches = whole.shape[0]
    source, sink = switches, switches + 1
    links = whole.tocoo()
    zero, one = np.flatnonzero(side == 0), np.flatnonzero(side == 1)
    rows = np.concatenate([links.row, np.full(len(zero), source), one])
    columns = np.concatenate([links.col, zero, np.full(len(one), sink)])
    unlimited = np.full(len(zero) + len(one), int(links.data.sum()) + 1)
    values = np.concatenate([links.data, unlimited]).astype(np.int32)
    return csr_array((values, (rows, columns)), shape=(switches + 2, switches + 2))

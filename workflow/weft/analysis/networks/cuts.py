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
Switches = npt.NDArray[np.int64]


def smallest_cut(wiring: Wiring) -> HalvesCut | None:
    """The cut of the fewest links among those between halves that some orders of switches make.

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
    one_way = (whole != whole.T).nnz > 0
    for order in _orders(whole, unit, len(nodes)):
        if len(order) < len(nodes):
            continue
        before = np.concatenate([[0], np.cumsum(nodes[order])])
        place = int(np.argmin(np.abs(2 * before - before[-1])))
        smaller = int(min(before[place], before[-1] - before[place]))
        side = np.full(len(nodes), 1)
        side[order[:place]] = 0
        where = np.where(unit < 0, -1, side[unit])
        if smaller and abs(2 * before[place] - before[-1]) <= nodes.max():
            links = _links(whole, where)
            if one_way:
                links = min(links, _links(whole, np.where(where < 0, -1, 1 - where)))
            cut = HalvesCut(links, smaller, "at_most", alike=wiring.alike)
            best = cut if best is None or cut.links < best.links else best
    return best


def _units(wiring: Wiring) -> tuple[Switches, npt.NDArray[np.int64]]:
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


def _links(whole: csr_array, side: npt.NDArray[np.int64]) -> int:
    """Links from side 0 to side 1, with the switches of side -1 where they cut fewest."""
    switches = whole.shape[0]
    if not np.any(side < 0):
        return int(whole[side == 0][:, side == 1].sum())
    flow = csgraph.maximum_flow(_between(whole, side), switches, switches + 1)
    return int(flow.flow_value)


def _between(whole: csr_array, side: npt.NDArray[np.int64]) -> csr_array:
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

"""Where the routers of a network stand in its picture."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, prod, sin

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

from weft.report.data.natural_order import natural
from weft.report.kinds.network.rows import BusyNetwork

Positions = dict[str, tuple[float, float]]
_SWEEPS = 8
#: Routers whose distances decide a layout by distances (Brandes and Pich, "Eigensolver methods for
#: progressive multidimensional scaling of large data", 2006), and steps that improve it (de Leeuw,
#: "Applications of convex analysis to multidimensional scaling", 1977).
_PIVOTS, _STEPS, _MOST_IMPROVED = 40, 60, 600


def positions(network: BusyNetwork) -> Positions:
    """A place for every router, the same for the same network.

    Routers with coordinates stand as a grid, groups of routers on a circle, and levels above each
    other where some routers have no nodes. Elsewhere neighbours in the network stand near.
    """
    routers = sorted(network.routers, key=natural)
    sizes = grid_sizes(network)
    if prod(sizes) == len(routers):
        return _grid(routers, sizes)
    # The key `a` of a topology is the number of routers in a group.
    if group := network.topology.get("a"):
        return _groups(routers, int(group))
    if len({*network.nodes.values()}) < len(routers):
        return _levels(network, routers)
    return _near(network, routers)


def grid_sizes(network: BusyNetwork) -> Sequence[int]:
    """Routers in each dimension of a mesh or torus; none of other topologies."""
    sizes = network.topology.get("sizes")
    if isinstance(sizes, str):
        # Settings hold lists as JSON texts.
        return [int(size) for size in json.loads(sizes)]
    k, dimensions = (network.topology.get(key) for key in ("k", "dimensions"))
    grid = network.topology.get("kind") in ("mesh", "torus")
    return [int(k)] * int(dimensions) if grid and k and dimensions else []


def _grid(routers: Sequence[str], sizes: Sequence[int]) -> Positions:
    """x to the right, y upwards; the third dimension to the right in blocks, the fourth upwards."""
    found = {}
    for number, name in enumerate(routers):
        place, block = [0.0, 0.0], [1.0, 1.0]
        for dimension, size in enumerate(sizes):
            number, digit = divmod(number, size)
            axis = dimension % 2
            place[axis] += digit * block[axis]
            block[axis] *= size + (0 if dimension < 2 else 0.6)
            block[axis] += 0.6 if dimension < 2 else 0
        found[name] = (place[0], place[1])
    return found


def _groups(routers: Sequence[str], size: int) -> Positions:
    """Groups on a circle, the routers of a group on a small one."""
    groups = -(-len(routers) // size)
    inner = pi / max(groups, 3) * 0.45
    found = {}
    for number, name in enumerate(routers):
        group, place = divmod(number, size)
        far, near = 2 * pi * group / groups, 2 * pi * place / size + 2 * pi * group / groups
        found[name] = (cos(far) + inner * cos(near), sin(far) + inner * sin(near))
    return found


def _levels(network: BusyNetwork, routers: Sequence[str]) -> Positions:
    """A line for each distance from the nodes, with few crossings between neighbouring lines."""
    level = _distances(network, {*network.nodes.values()})
    lines: dict[int, list[str]] = defaultdict(list)
    for name in routers:
        lines[level.get(name, 0)].append(name)
    beside: dict[str, set[str]] = defaultdict(set)
    for each in network.between:
        beside[each.source].add(each.target)
        beside[each.target].add(each.source)
    found = _spread(lines)
    for _ in range(_SWEEPS):
        for line in lines.values():
            line.sort(key=_by_neighbours(found, beside))
        found = _spread(lines)
    return found


def _by_neighbours(
    found: Positions, beside: Mapping[str, set[str]]
) -> Callable[[str], tuple[float, float]]:
    def key(name: str) -> tuple[float, float]:
        lower = [found[o][0] for o in beside[name] if found[o][1] < found[name][1]]
        # Rounded, so that routers with the same neighbours keep their order.
        mean = round(sum(lower) / len(lower), 9) if lower else found[name][0]
        return mean, found[name][0]

    return key


def _spread(lines: Mapping[int, Sequence[str]]) -> Positions:
    return {
        name: ((place + 0.5) / len(line), float(level))
        for level, line in lines.items()
        for place, name in enumerate(line)
    }


def _distances(network: BusyNetwork, starts: set[str]) -> dict[str, int]:
    """Links from the nearest of `starts` to each router, along the links."""
    onward: dict[str, set[str]] = defaultdict(set)
    for each in network.between:
        onward[each.source].add(each.target)
    found = dict.fromkeys(sorted(starts), 0)
    waiting = [*found]
    for name in waiting:
        for other in sorted(onward[name]):
            if other not in found:
                found[other] = found[name] + 1
                waiting.append(other)
    return found


def _near(network: BusyNetwork, routers: Sequence[str]) -> Positions:
    numbers = {name: number for number, name in enumerate(routers)}
    ends = [(numbers[each.source], numbers[each.target]) for each in network.between]
    rows, columns = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(routers),) * 2).tocsr()
    pivots = np.unique(np.linspace(0, len(routers) - 1, _PIVOTS).astype(np.int64))
    from_pivots = _finite(shortest_path(graph, directed=False, unweighted=True, indices=pivots))
    places = _scaled(from_pivots.T)
    if len(routers) <= _MOST_IMPROVED:
        every = _finite(shortest_path(graph, directed=False, unweighted=True))
        places = _improved(places, every)
    return {name: (float(x), float(y)) for name, (x, y) in zip(routers, places, strict=True)}


def _finite(far: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    known = np.isfinite(far)
    return np.nan_to_num(far, posinf=float(far[known].max()) + 1)


def _scaled(far: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Places in the plane from distances to pivots, shape (routers, pivots)."""
    squared = far**2
    centred = squared - squared.mean(0) - squared.mean(1, keepdims=True) + squared.mean()
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    places: npt.NDArray[np.float64] = np.zeros((len(far), 2))
    width = min(2, left.shape[1])
    places[:, :width] = left[:, :width] * np.sqrt(values[:width])
    # Equal places would stay together; a spiral of small steps parts them.
    turn = np.arange(len(far)) * 2.4
    step = 1e-3 * np.sqrt(np.arange(len(far)))[:, None]
    places += step * np.column_stack([np.cos(turn), np.sin(turn)])
    return places


def _improved(
    places: npt.NDArray[np.float64], far: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The places after steps that bring their distances nearer to `far`."""
    weights = 1 / np.maximum(far, 1) ** 2
    np.fill_diagonal(weights, 0)
    total = weights.sum(1)
    for _ in range(_STEPS):
        apart = places[:, None, :] - places[None, :, :]
        length = np.maximum(np.sqrt((apart**2).sum(2)), 1e-9)
        pull = weights * far / length
        shift = (pull[:, :, None] * apart).sum(1) + weights @ places
        places = shift / total[:, None]
    return places

"""A network link by link: from the canonical form of a file, or from rows of the table `links`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Pairs = Sequence[tuple[int, int]]
#: What is read of the channels of a canonical file: one value for each of them.
CanonicalChannels = TypedDict(
    "CanonicalChannels",
    {
        "from": Sequence[int],
        "to": Sequence[int],
        "bandwidth_bytes_per_s": NotRequired[Sequence[float | None]],
        "slower": NotRequired[Sequence[float]],
    },
)


class CanonicalNetwork(TypedDict):
    """What is read of a canonical file; ends of channels count nodes, then switches."""

    nodes: Sequence[str]
    rails: NotRequired[Sequence[int]]
    switches: Sequence[str]
    channels: CanonicalChannels


@dataclass(frozen=True, slots=True)
class Wiring:
    """Nodes, and channels by the numbers of their ends.

    `sends` joins each node to the switches that it sends to, `receives` to those that it receives
    from: the same ones except in networks of one way. `channels` lead from switch to switch,
    `failed` ones too. Not all are `alike` where a file gives them speeds that differ.
    """

    nodes: int
    switches: int
    sends: Pairs
    receives: Pairs
    channels: Pairs
    failed: Pairs = ()
    alike: bool = True

    @property
    def whole(self) -> csr_array:
        """How many channels that did not fail lead from one switch to another."""
        return _counts(self.channels, (self.switches, self.switches))

    @property
    def node_cables(self) -> int:
        """Cables between nodes and switches."""
        return sum(self._of_nodes().values())

    @property
    def switch_cables(self) -> int:
        """Cables between switches, those that failed too."""
        return sum(_cables([*self.channels, *self.failed]).values())

    @property
    def most_ports(self) -> int:
        """Ends of cables at the switch that has most, those of failed cables too."""
        ends: Counter[int] = Counter()
        for (a, b), count in _cables([*self.channels, *self.failed]).items():
            ends[a] += count
            ends[b] += count
        for (_, switch), count in self._of_nodes().items():
            ends[switch] += count
        return max(ends.values(), default=0)

    def _of_nodes(self) -> Counter[tuple[int, int]]:
        """Cables of each node to each switch: one for sending and receiving."""
        return Counter(self.sends) | Counter(self.receives)


def wiring_of_file(canonical: CanonicalNetwork) -> Wiring:
    """The network of a canonical file, as `docs/topologies.md` describes it."""
    ends, rails = len(canonical["nodes"]), canonical.get("rails") or [1] * len(canonical["nodes"])
    # The node that each end of the network belongs to.
    last = list(accumulate(rails))
    owner = np.searchsorted(last, np.arange(ends), side="right").tolist()
    channels = canonical["channels"]
    speeds = channels.get("bandwidth_bytes_per_s", ()), channels.get("slower", ())
    pairs = list(zip(channels["from"], channels["to"], strict=True))
    return Wiring(
        len(rails),
        len(canonical["switches"]),
        [(owner[a], b - ends) for a, b in pairs if a < ends],
        [(owner[b], a - ends) for a, b in pairs if b < ends],
        [(a - ends, b - ends) for a, b in pairs if a >= ends and b >= ends],
        alike=all(len({*values}) < 2 for values in speeds),
    )


def wiring_of_links(rows: Iterable[tuple[str, str, str]], rails: bool = False) -> Wiring:
    """The network of the table `links`: class, source and target of each channel.

    With `rails` the names of nodes end with a colon and the number of the rail.
    """
    nodes: dict[str, int] = defaultdict(lambda: len(nodes))
    switches: dict[str, int] = defaultdict(lambda: len(switches))
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def node(name: str) -> int:
        return nodes[name.rpartition(":")[0] if rails else name]

    for kind, source, target in rows:
        if kind == "injection":
            found[kind].append((node(source), switches[target]))
        elif kind == "ejection":
            found[kind].append((node(target), switches[source]))
        else:
            place = "failed" if kind == "failed" else "channels"
            found[place].append((switches[source], switches[target]))
    ends = found["injection"], found["ejection"]
    return Wiring(len(nodes), len(switches), *ends, found["channels"], found["failed"])


def _cables(pairs: Pairs) -> Counter[tuple[int, int]]:
    """Cables between two ends, the lower one first: as many as channels one way, or the other."""
    ahead: Counter[tuple[int, int]] = Counter((a, b) for a, b in pairs if a <= b)
    back: Counter[tuple[int, int]] = Counter((b, a) for a, b in pairs if a > b)
    return ahead | back


def _counts(pairs: Pairs, shape: tuple[int, int]) -> csr_array:
    # Most pages have networks of closed forms, and need not load this.
    from scipy.sparse import csr_array

    ends = np.asarray(pairs, dtype=np.int32).reshape(-1, 2)
    ones: npt.NDArray[np.int32] = np.ones(len(ends), dtype=np.int32)
    return csr_array((ones, (ends[:, 0], ends[:, 1])), shape=shape)

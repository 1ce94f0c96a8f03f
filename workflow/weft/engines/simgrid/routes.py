"""Routes and messages of a point, as weft's own simulators have them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from weft.engines.external.answer import UnanswerableError
from weft.engines.graphs import canonical_topology
from weft.plan.spec import TopologySpec


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `own_bytes` only if its list says them, `start_s` is the earliest."""

    number: int
    src: int
    dst: int
    own_bytes: int = 0
    start_s: float = 0.0

    def bytes_of(self, size_bytes: int | None) -> int:
        """In a list whose messages all have `size_bytes`, or each its own."""
        return self.own_bytes if size_bytes is None else size_bytes


@dataclass(frozen=True, slots=True)
class Route:
    """The channels from one node to another, and the least number of hops between routers."""

    src: int
    dst: int
    hops: int
    channels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel that is not as the network says: how many times slower, and its own latency."""

    slower: float = 1.0
    latency_s: float | None = None


@dataclass(frozen=True, slots=True)
class Routes:
    """What `weft-flow routes` prints: numbers of nodes and channels, messages, routes of pairs, and
    the channels that differ, by their numbers.

    `rank_nodes` holds, where asked for, the node of each rank.

    `names` holds, where asked for, the first columns of each channel in the table `links`.
    """

    nodes: int
    channels: int
    messages: tuple[Message, ...]
    routes: tuple[Route, ...]
    different: Mapping[int, Channel] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    rank_nodes: Sequence[int] = ()

    def carried_bytes(self, size_bytes: int | None) -> dict[int, int]:
        """By channel, of those that carried something."""
        ways = {(each.src, each.dst): each.channels for each in self.routes}
        carried: dict[int, int] = {}
        for message in self.messages:
            for channel in ways.get((message.src, message.dst), ()):
                carried[channel] = carried.get(channel, 0) + message.bytes_of(size_bytes)
        return carried

    def slower(self, channel: int) -> float:
        """How many times slower a channel is than the network's bandwidth."""
        return self.different.get(channel, Channel()).slower


def ask_routes(flow: Sequence[str], point: Mapping[str, object]) -> Routes:
    """The messages of the point's list and the routes of their pairs.

    `flow` starts weft-flow. `point` has the keys `seed`, `topology` and `workload`, or instead of
    `workload` a list `nodes`, or `ranks` with their `count` and the options that place them: then
    come the routes of all pairs of these nodes. Where links differ, it
    also has `bandwidth_bytes_per_s` of the network. With `names` come the names of the channels.
    Raises UnanswerableError with the reason when there are none.
    """
    with TemporaryDirectory() as folder:
        topology = canonical_topology(cast("TopologySpec", point["topology"]), Path(folder))
        asked = json.dumps({**point, "topology": topology})
        done = subprocess.run(
            [*flow, "routes"], input=asked, capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        raise UnanswerableError(done.stderr.strip().rpartition("\n")[2] or "weft-flow gave up")
    size, *lines = map(json.loads, done.stdout.splitlines())
    return Routes(
        nodes=size["nodes"],
        rank_nodes=size.get("rank_nodes", ()),
        channels=size["channels"],
        messages=tuple(_message(line) for line in lines if "message" in line),
        routes=tuple(_route(line) for line in lines if "channels" in line),
        different={
            line["channel"]: Channel(line["slower"], line["latency_s"])
            for line in lines
            if "slower" in line
        },
        names={line["channel"]: line["columns"] for line in lines if "columns" in line},
    )


def _message(line: Mapping[str, Any]) -> Message:
    return Message(
        line["message"], line["src"], line["dst"], line.get("bytes", 0), line.get("start_s", 0.0)
    )


def _route(line: Mapping[str, Any]) -> Route:
    return Route(line["src"], line["dst"], line["hops"], tuple(line["channels"]))

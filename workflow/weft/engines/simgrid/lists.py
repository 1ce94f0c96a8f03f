"""Lists of messages: what SimGrid is to play of a point, and what follows from the times."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.engines.journal import MetricLine
from weft.engines.order import ResolvedPoint
from weft.engines.simgrid.description import (
    Corrections,
    Links,
    contexts,
    message_lines,
    platform_lines,
    setting_lines,
    solver,
)
from weft.engines.simgrid.routes import Routes, ask_routes
from weft.files import replace_text
from weft.tables.declared import DECLARED

#: Of an actor, which calls little.
STACK_KIB = 64
#: Part of the messages that are at most as long, by name of the metric.
_QUANTILES = {"p50": 0.50, "p95": 0.95, "max": 1.0}


@dataclass(frozen=True, slots=True)
class Time:
    """When a message was issued and when it had arrived."""

    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Played:
    """The times of a list's messages, in its order; when the first node had sent all of its own,
    and the bytes that all nodes had sent until then."""

    times: Sequence[Time]
    first_s: float
    first_bytes: float


@dataclass(slots=True)
class PlayedLists:
    """The list of a point at each of its sizes, and what SimGrid found so far."""

    links: Links
    corrections: Corrections
    solver: Mapping[str, str]
    outstanding: int
    routes: Routes
    #: None: the list itself says the sizes.
    sizes: Sequence[int | None]
    played: list[Played] = field(default_factory=list)

    @classmethod
    def of(cls, point: ResolvedPoint, flow: Sequence[str]) -> PlayedLists:
        """Those of a point; `flow` starts weft-flow, which has the routes.

        Raises UnanswerableError when it refuses the point.
        """
        options, workload = point["options"], point["workload"]
        corrections = Corrections.of(options)
        asked = {"seed": point["seed"], "topology": point["topology"], "workload": workload}
        asked["bandwidth_bytes_per_s"] = point["network"]["bandwidth_bytes_per_s"]
        names = "links" in options["tables"]
        routes = ask_routes(flow, {**asked, "both_ways": corrections.crosstraffic, "names": names})
        limit = workload["outstanding"]
        return cls(
            links=Links.of(point["network"]),
            corrections=corrections,
            solver=solver(options),
            outstanding=len(routes.messages) if limit == "all" else int(limit),
            routes=routes,
            sizes=workload["message_bytes"] or [None],
        )

    def description(self, size_bytes: int | None) -> Iterator[str]:
        """What the player reads, for messages of one size."""
        messages = self.routes.messages
        settings = {**self.corrections.settings(), **self.solver, **contexts(STACK_KIB)}
        yield from setting_lines(settings)
        nodes = sorted({node for each in messages for node in (each.src, each.dst)})
        yield from platform_lines(self.links, self.corrections, nodes, self.routes)
        yield from message_lines(self.links, messages, size_bytes, self.outstanding)

    def rows(self, size_bytes: int | None, played: Played) -> Iterator[MetricLine]:
        """The metrics of one size, with the names and units of flow."""
        for name, value, unit in self._numbers(size_bytes, played):
            yield {"metric": name, "message_bytes": size_bytes, "value": value, "unit": unit}

    def _numbers(self, size_bytes: int | None, played: Played) -> Iterator[tuple[str, float, str]]:
        times = played.times
        end_s = max((each.end_s for each in times), default=0.0)
        yield "makespan_s", end_s, "s"
        if played.first_s > 0:
            senders = len({each.src for each in self.routes.messages})
            largest_bytes = self.links.bandwidth_bytes_per_s * played.first_s * senders
            yield "accepted_rate", played.first_bytes / largest_bytes, "1"
        taken_s = sorted(each.end_s - each.start_s for each in times)
        if taken_s:
            yield "message_time_mean_s", math.fsum(taken_s) / len(taken_s), "s"
            for name, part in _QUANTILES.items():
                yield f"message_time_{name}_s", _quantile(taken_s, part), "s"
        if end_s > 0:
            capacity_bytes = self.links.bandwidth_bytes_per_s * end_s
            shares = [
                carried_bytes * self.routes.slower(channel) / capacity_bytes
                for channel, carried_bytes in self.routes.carried_bytes(size_bytes).items()
            ]
            yield "link_utilisation_mean", sum(shares) / self.routes.channels, "1"
            yield "link_utilisation_max", max(shares, default=0.0), "1"


def read_played(text: str) -> Played:
    """What the player wrote."""
    first, *lines = text.splitlines()
    _, first_s, first_bytes = first.split()
    numbers = (line.split() for line in lines)
    times = [Time(float(start_s), float(end_s)) for _, start_s, end_s in numbers]
    return Played(times, float(first_s), float(first_bytes))


def write_messages(directory: Path, point_id: str, lists: PlayedLists) -> None:
    """Write `messages-<point_id>.csv`; numbers go on from one size to the next."""
    lines = [DECLARED["messages"].header()]
    messages = lists.routes.messages
    for at, (size_bytes, played) in enumerate(zip(lists.sizes, lists.played, strict=True)):
        for message, time in zip(messages, played.times, strict=True):
            number = at * len(messages) + message.number
            size = message.bytes_of(size_bytes)
            lines.append(
                f"{number},{message.src},{message.dst},{size},{time.start_s!r},{time.end_s!r}\n"
            )
    replace_text(directory / f"messages-{point_id}.csv", "".join(lines))


def _quantile(ordered: Sequence[float], part: float) -> float:
    """By linear interpolation between order statistics, as the simulators have it."""
    place = part * (len(ordered) - 1)
    low = ordered[int(place)]
    high = ordered[min(int(place) + 1, len(ordered) - 1)]
    return low + (high - low) * (place % 1)

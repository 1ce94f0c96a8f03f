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
from weft.engines.simgrid.routes import Channel, Routes, ask_routes
from weft.files import replace_text

#: Of an actor, which calls little.
STACK_KIB = 64
#: Part of the messages that are at most as long, by name of the metric.
_QUANTILES = {"p50": 0.50, "p95": 0.95, "max": 1.0}
_HEADER = "message_id,src,dst,bytes,start_s,finish_s\n"


@dataclass(frozen=True, slots=True)
class Time:
    """When a message was issued and when it had arrived."""

    start_s: float
    end_s: float


@dataclass(slots=True)
class PlayedLists:
    """The list of a point at each of its sizes, and the times that SimGrid found so far."""

    links: Links
    corrections: Corrections
    solver: Mapping[str, str]
    outstanding: int
    routes: Routes
    #: None: the list itself says the sizes.
    sizes: Sequence[int | None]
    times: list[Sequence[Time]] = field(default_factory=list)

    @classmethod
    def of(cls, point: ResolvedPoint, flow: Sequence[str]) -> PlayedLists:
        """Those of a point; `flow` starts weft-flow, which has the routes.

        Raises UnanswerableError when it refuses the point.
        """
        options, workload = point["options"], point["workload"]
        corrections = Corrections.of(options)
        asked = {"seed": point["seed"], "topology": point["topology"], "workload": workload}
        asked["bandwidth_bytes_per_s"] = point["network"]["bandwidth_bytes_per_s"]
        routes = ask_routes(flow, {**asked, "both_ways": corrections.crosstraffic})
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

    def rows(self, size_bytes: int | None, times: Sequence[Time]) -> Iterator[MetricLine]:
        """The metrics of one size, with the names and units of flow."""
        for name, value, unit in self._numbers(size_bytes, times):
            yield {"metric": name, "message_bytes": size_bytes, "value": value, "unit": unit}

    def _numbers(
        self, size_bytes: int | None, times: Sequence[Time]
    ) -> Iterator[tuple[str, float, str]]:
        end_s = max((each.end_s for each in times), default=0.0)
        yield "makespan_s", end_s, "s"
        taken_s = sorted(each.end_s - each.start_s for each in times)
        if taken_s:
            yield "message_time_mean_s", math.fsum(taken_s) / len(taken_s), "s"
            for name, part in _QUANTILES.items():
                yield f"message_time_{name}_s", _quantile(taken_s, part), "s"
        if end_s > 0:
            carried = self._channel_bytes(size_bytes)
            capacity_bytes = self.links.bandwidth_bytes_per_s * end_s
            mean_bytes = sum(carried) / self.routes.channels
            yield "link_utilisation_mean", mean_bytes / capacity_bytes, "1"
            yield "link_utilisation_max", max(carried, default=0) / capacity_bytes, "1"

    def _channel_bytes(self, size_bytes: int | None) -> Sequence[float]:
        """Of each channel that carried something, as many times more as it is slower."""
        ways = {(each.src, each.dst): each.channels for each in self.routes.routes}
        carried: dict[int, float] = {}
        for message in self.routes.messages:
            for channel in ways.get((message.src, message.dst), ()):
                slower = self.routes.different.get(channel, Channel()).slower
                carried[channel] = carried.get(channel, 0) + message.bytes_of(size_bytes) * slower
        return list(carried.values())


def read_times(text: str) -> list[Time]:
    """What the player wrote: the times of the messages in the order of the list."""
    numbers = (line.split() for line in text.splitlines())
    return [Time(float(start_s), float(end_s)) for _, start_s, end_s in numbers]


def write_messages(directory: Path, point_id: str, lists: PlayedLists) -> None:
    """Write `messages-<point_id>.csv`; numbers go on from one size to the next."""
    lines = [_HEADER]
    messages = lists.routes.messages
    for at, (size_bytes, times) in enumerate(zip(lists.sizes, lists.times, strict=True)):
        for message, time in zip(messages, times, strict=True):
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

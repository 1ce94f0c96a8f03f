"""The table `links` of a list that SimGrid played: what each channel carried, and when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from weft.engines.simgrid.lists import Played, PlayedLists
from weft.engines.simgrid.routes import Route
from weft.files import replace_text
from weft.tables.declared import DECLARED


def write_links(directory: Path, point_id: str, lists: PlayedLists) -> None:
    """Write `links-<point_id>.csv` of a point with one size: every channel, also idle ones."""
    (size_bytes,), (played,) = lists.sizes, lists.played
    carried, busy = lists.routes.carried_bytes(size_bytes), _busy_s(lists, played)
    end_s = max((each.end_s for each in played.times), default=0.0)
    capacity_bytes = lists.links.bandwidth_bytes_per_s * end_s
    lines = [DECLARED["links"].header()]
    for channel, columns in lists.routes.names.items():
        own_bytes = carried.get(channel, 0)
        share = (
            own_bytes * lists.routes.slower(channel) / capacity_bytes if capacity_bytes > 0 else 0.0
        )
        lines.append(f"{columns},{own_bytes},{busy.get(channel, 0.0)!r},{share!r}\n")
    replace_text(directory / f"links-{point_id}.csv", "".join(lines))


def _busy_s(lists: PlayedLists, played: Played) -> dict[int, float]:
    """By channel: how long at least one message flowed through it. It flows after its delay."""
    ways = {(each.src, each.dst): each for each in lists.routes.routes}
    busy: dict[int, float] = {}
    until: dict[int, float] = {}
    for begin_s, end_s, way in sorted(_flows(lists, played, ways), key=lambda flow: flow[:2]):
        for channel in way.channels:
            since_s = max(begin_s, until.get(channel, 0.0))
            if end_s > since_s:
                busy[channel] = busy.get(channel, 0.0) + end_s - since_s
                until[channel] = end_s
    return busy


def _flows(
    lists: PlayedLists, played: Played, ways: dict[tuple[int, int], Route]
) -> Iterator[tuple[float, float, Route]]:
    links = lists.links
    for message, time in zip(lists.routes.messages, played.times, strict=True):
        if way := ways.get((message.src, message.dst)):
            delay_s = links.latency_s + way.hops * links.hop_latency_s
            yield time.start_s + delay_s * lists.corrections.latency_factor, time.end_s, way

"""What SimGrid is to simulate, as the programs in `source` read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from weft.engines.simgrid.routes import Channel, Message, Route, Routes
from weft.plan.spec import NetworkSpec, OptionsSpec


def contexts(stack_kib: int) -> dict[str, str]:
    """Stacks of actors, and no page between them: a process may have few mappings."""
    return {"contexts/stack-size": str(stack_kib), "contexts/guard-size": "0"}


@dataclass(frozen=True, slots=True)
class Links:
    """Speed and delays, as the section `network` of a point has them."""

    bandwidth_bytes_per_s: float
    latency_s: float
    hop_latency_s: float

    @classmethod
    def of(cls, network: NetworkSpec) -> Links:
        """Those of a point."""
        return cls(
            float(network["bandwidth_bytes_per_s"]),
            float(network.get("latency_s") or 0.0),
            float(network.get("hop_latency_s") or 0.0),
        )


@dataclass(frozen=True, slots=True)
class Corrections:
    """What SimGrid adds to max-min fairness; each is off where its value is the default."""

    bandwidth_factor: float = 1.0
    latency_factor: float = 1.0
    tcp_gamma_bytes: float = 0.0
    weight_bytes: float = 0.0
    crosstraffic: bool = False
    rtt_fairness: bool = False

    @classmethod
    def of(cls, options: OptionsSpec) -> Corrections:
        """Those of a point's options."""
        return cls(
            float(options["bandwidth_factor"]),
            float(options["latency_factor"]),
            float(options["tcp_gamma_bytes"]),
            float(options["weight_bytes"]),
            bool(options["crosstraffic"]),
            bool(options["rtt_fairness"]),
        )

    def settings(self) -> dict[str, str]:
        """As SimGrid calls them; without `rtt_fairness` the latency's factor is in the delays."""
        latency = {"network/latency-factor": repr(self.latency_factor)}
        return {
            "network/model": "CM02",
            "network/bandwidth-factor": repr(self.bandwidth_factor),
            **(latency if self.rtt_fairness else {}),
            "network/TCP-gamma": repr(self.tcp_gamma_bytes),
            "network/weight-S": repr(self.weight_bytes),
            "network/crosstraffic": "1" if self.crosstraffic else "0",
        }


def solver(options: OptionsSpec) -> dict[str, str]:
    """What counts as the same time and as no bytes left, and which rates are computed anew."""
    return {
        "network/optim": str(options["update"]).capitalize(),
        "precision/timing": repr(float(options["timing_precision_s"])),
        "precision/work-amount": repr(float(options["work_precision"])),
    }


def setting_lines(settings: Mapping[str, str]) -> Iterator[str]:
    """SimGrid's settings."""
    for name, value in settings.items():
        yield f"setting {name} {value}"


def platform_lines(
    links: Links, corrections: Corrections, nodes: Iterable[int], found: Routes
) -> Iterator[str]:
    """The platform: every channel a link, so that each direction of a cable is its own."""
    routes, different = found.routes, found.different
    for node in nodes:
        yield f"node {node}"
    injection = {route.channels[0] for route in routes}
    ejection = {route.channels[-1] for route in routes}
    for channel in sorted({channel for route in routes for channel in route.channels}):
        latency_s = 0.0
        if corrections.rtt_fairness and channel not in ejection:
            latency_s = links.latency_s if channel in injection else links.hop_latency_s
        own = different.get(channel, Channel())
        if corrections.rtt_fairness and own.latency_s is not None:
            # A message's own latency is on the channel of its node.
            latency_s = own.latency_s + (links.latency_s if channel in injection else 0.0)
        yield f"channel {channel} {links.bandwidth_bytes_per_s / own.slower!r} {latency_s!r}"
    for route in routes:
        delay_s = 0.0
        if not corrections.rtt_fairness:
            delay_s = _delay_s(links, route, different)
            delay_s *= corrections.latency_factor
        numbers = " ".join(map(str, route.channels))
        yield f"route {route.src} {route.dst} {delay_s!r} {len(route.channels)} {numbers}"


def _delay_s(links: Links, route: Route, different: Mapping[int, Channel]) -> float:
    """From the first byte's leaving to its arrival, as far as that is latency."""
    if not any(channel in different for channel in route.channels):
        return links.latency_s + route.hops * links.hop_latency_s
    delay_s, last = links.latency_s, len(route.channels) - 1
    for place, channel in enumerate(route.channels):
        own_s = different.get(channel, Channel()).latency_s
        hop_s = links.hop_latency_s if 0 < place < last else 0.0
        delay_s += hop_s if own_s is None else own_s
    return delay_s


def message_lines(
    links: Links, messages: Iterable[Message], size_bytes: int | None, outstanding: int
) -> Iterator[str]:
    """The messages in the order of sending; `size_bytes` of those whose list says no size."""
    yield f"outstanding {outstanding}"
    yield f"alone {links.bandwidth_bytes_per_s!r}"
    for each in messages:
        size = each.bytes_of(size_bytes)
        yield f"message {each.number} {each.src} {each.dst} {size} {each.start_s!r}"

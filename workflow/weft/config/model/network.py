"""Networks: what the links and switches between nodes do to a message."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from weft.config.language.quantities import Delay, Rate
from weft.config.language.section import Settings, SpecName
from weft.config.model.network_sections import Cables, Nic, Packet, Router, Software

#: Sections of a network that only points of engines with `network_sections` carry.
SECTIONS = ("packet", "router", "cables", "nic", "software")

#: Sections that say where latency comes from, so that `latency` and `hop_latency` do not count.
DETAILED = ("router", "cables", "software")


class Network(Settings):
    """Link parameters, given or fitted from a measured ping-pong; and sections with the parts of
    a machine, for engines that model them."""

    bandwidth: Annotated[Rate | None, SpecName("bandwidth_bytes_per_s")] = None
    """What one link carries per second in one direction."""
    latency: Annotated[Delay | None, SpecName("latency_s")] = None
    """From end to end, for an empty message over no hop; 0 s unless given. An engine with
    `network_sections` ignores it where `router`, `cables` or `software` is given."""
    hop_latency: Annotated[Delay, SpecName("hop_latency_s")] = 0.0
    """Added for every channel between two routers on the path, so not for injection and ejection;
    ignored where `latency` is."""
    calibrated_from: Literal["pingpong"] | None = None
    """Fit bandwidth and latency from the ping-pong that the same experiment measures; without the
    engine hardware, from that which the engine `report.reference` simulates."""
    packet: Packet | None = None
    """How messages are divided into packets."""
    router: Router | None = None
    """The pipeline and the buffers of a router."""
    cables: Cables | None = None
    """How long signals are under way."""
    nic: Nic | None = None
    """Network interface and memory of a node."""
    software: Software | None = None
    """What the communication library costs."""

    @model_validator(mode="after")
    def _given_or_fitted(self) -> Network:
        if self.calibrated_from is None and self.bandwidth is None:
            raise ValueError("give a bandwidth, like '4 GB/s', or calibrated_from: pingpong")
        if self.calibrated_from and (self.bandwidth is not None or self.latency is not None):
            raise ValueError("calibrated_from fits bandwidth and latency; leave both out")
        detailed = [key for key in DETAILED if getattr(self, key)]
        if self.calibrated_from and detailed:
            raise ValueError(
                "calibrated_from fits a latency, which has no effect beside "
                + " and ".join(detailed)
            )
        return self

    def spec(self) -> dict[str, object]:
        """SI values; a calibrated network has no bandwidth and latency yet."""
        latency = {} if self.calibrated_from else {"latency_s": 0.0}
        sections = {key: part.spec() for key in SECTIONS if (part := getattr(self, key))}
        return {**latency, **super().spec(), **sections}

    def without_sections(self) -> Network:
        """The links alone, which is all that engines without `network_sections` look at."""
        return self.model_copy(update=dict.fromkeys(SECTIONS))

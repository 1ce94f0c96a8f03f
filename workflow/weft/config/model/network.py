"""Networks: what the links and switches between nodes do to a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from weft.config.language.quantities import Delay, Rate
from weft.config.language.section import ProjectFile, Settings, SpecName
from weft.config.model.costs import MessageCosts
from weft.config.model.network_sections import Cables, Nic, Packet, Router, Software

#: Sections of a network that only points of engines with `network_sections` carry.
SECTIONS = ("packet", "router", "cables", "nic", "software")

#: Sections that say where latency comes from, so that `latency` and `hop_latency` do not count.
DETAILED = ("router", "cables", "software")


#: The ping-pong of the experiment itself, as a source of a calibration.
PINGPONG = "pingpong"


class StoredCalibration(Settings):
    """A calibration that an experiment has stored; `weft calibrations` lists all."""

    experiment: str
    """The experiment that measured it."""
    machine: str | None = None
    """The machine that was measured; this one unless given."""
    date: str | None = None
    """The time of the measurement, or how it begins: the newest that does; of all unless given."""


class Residuals(Settings):
    """How far a fit is from the times that it was fitted to: the root mean square of the relative
    residuals. Predictions on the network have intervals that reach as far."""

    line: Annotated[float, Field(ge=0, le=1e3)]
    """Of the line, which `latency` and `bandwidth` are."""
    curve: Annotated[float | None, Field(ge=0, le=1e3)] = None
    """Of the curve of messages one way in `costs`; as `line` unless given."""


def _source(source: str) -> str:
    if source != PINGPONG and not source.endswith(".yaml"):
        raise ValueError(
            f"'{source}' is not a source; allowed: pingpong, the path of an exported calibration "
            "(.yaml), or a section with experiment, machine and date"
        )
    return source


def _branch(given: object) -> str:
    return "dict" if isinstance(given, Mapping | StoredCalibration) else "str"


Source = Annotated[
    Annotated[str, AfterValidator(_source), ProjectFile(), Tag("str")]
    | Annotated[StoredCalibration, Tag("dict")],
    Discriminator(_branch),
]


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
    calibrated_from: Source | None = None
    """Take bandwidth, latency and costs from a measured ping-pong: `pingpong` is the one that the
    same experiment measures; without the engine hardware, that which the engine `report.reference`
    simulates. A section with `experiment`, `machine` and `date` names a stored calibration, and a
    path an exported one."""
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
    costs: MessageCosts | None = None
    """What messages cost by their size, for engines with `network_costs`; a calibration fits it."""

    residuals: Residuals | None = None
    """How far the fit is off that gave these numbers; an exported calibration has them."""

    @model_validator(mode="after")
    def _given_or_fitted(self) -> Network:
        if self.calibrated_from is None and self.bandwidth is None:
            raise ValueError("give a bandwidth, like '4 GB/s', or calibrated_from: pingpong")
        if self.calibrated_from and (self.bandwidth is not None or self.latency is not None):
            raise ValueError("calibrated_from fits bandwidth and latency; leave both out")
        if self.calibrated_from and self.residuals:
            raise ValueError("calibrated_from has residuals of its own; leave residuals out")
        if self.calibrated_from and self.costs:
            raise ValueError("calibrated_from fits costs; leave one of both out")
        detailed = [key for key in DETAILED if getattr(self, key)]
        if self.calibrated_from and detailed:
            raise ValueError(
                "calibrated_from fits a latency, which has no effect beside "
                + " and ".join(detailed)
            )
        if self.costs and detailed:
            raise ValueError("costs hold what these take, too; leave out " + " and ".join(detailed))
        return self

    def spec(self) -> dict[str, object]:
        """SI values; a calibrated network has no bandwidth and latency yet."""
        latency = {} if self.calibrated_from else {"latency_s": 0.0}
        parts = (*SECTIONS, "costs", "residuals")
        sections = {key: part.spec() for key in parts if (part := getattr(self, key))}
        return {**latency, **super().spec(), **sections}

    def only(self, *, sections: bool, costs: bool) -> Network:
        """What an engine looks at beside the links, which are all that some know."""
        left = (*(() if sections else SECTIONS), *(() if costs else ("costs",)))
        is_less = any(getattr(self, key) is not None for key in left)
        return self.model_copy(update=dict.fromkeys(left)) if is_less else self

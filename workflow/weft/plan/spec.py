"""The spec of a point as JSON holds it: what code of this package reads of it, typed.

The catalogue (`configs/catalogue.json`) and the engines' declarations decide which keys there are,
and `weft.config` checks them; here stand those that estimates, adapters and pages look at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # It brings Pydantic, which jobs need not load.
    from weft.config.model.program_files import BuildSpec as BuildSpec

#: Options of an engine: its file in `configs/engine/` declares their keys and kinds.
OptionsSpec = Mapping[str, Any]


class LinkSpec(TypedDict, total=False):
    """Channels that are not as the network says; one of bandwidth and `slower` is given."""

    channels: Sequence[str]
    bandwidth_bytes_per_s: float
    slower: float
    latency_s: float


class FailedSpec(TypedDict, total=False):
    """What failed: how many, or which."""

    links: int | Sequence[str | Sequence[str]]
    switches: int | Sequence[int | str]
    seed: int


class TopologySpec(TypedDict, total=False):
    """Which keys a topology has, its kind decides."""

    kind: str
    nodes: int
    k: int
    levels: int
    dimensions: int
    stages: int
    sizes: Sequence[int]
    concentration: int | None
    routing: str
    ties: str
    taper: float
    links: Sequence[LinkSpec]
    failed: FailedSpec
    file: str
    sha256: str
    node_names: Sequence[str]
    nodes_per_switch: int
    routes: str
    rails: str


class PacketSpec(TypedDict, total=False):
    """How a network cuts messages into packets."""

    mtu_bytes: int
    header_bytes: int
    flit_bytes: int


class RouterSpec(TypedDict):
    """Steps of a router's pipeline, and its buffers."""

    routing_s: float
    vc_allocation_s: float
    switch_allocation_s: float
    switch_traversal_s: float
    switch_s: float
    vc_buffer_bytes: int


class CablesSpec(TypedDict):
    """Delays of cables between routers, and from nodes to routers."""

    cable_s: float
    injection_s: float


class SoftwareSpec(TypedDict, total=False):
    """What calls of the communication library take."""

    send_overhead_s: float | None
    receive_overhead_s: float | None


class NetworkSpec(TypedDict, total=False):
    """Link parameters; a job puts those of the calibration, or its problem, where that is asked."""

    bandwidth_bytes_per_s: float
    latency_s: float
    hop_latency_s: float
    packet: PacketSpec
    router: RouterSpec
    cables: CablesSpec
    software: SoftwareSpec
    costs: Mapping[str, object]
    calibrated_from: str
    problem: str


class Calibration(TypedDict, total=False):
    """Link parameters fitted from a measurement, and how well; or the problem."""

    latency_s: float
    bandwidth_bytes_per_s: float
    costs: Mapping[str, object]
    warnings: Sequence[str]
    relative_residual_rms: float
    worst_ratio: float
    method: str
    confidence: str
    problem: str


class Placement(TypedDict, total=False):
    """Where the ranks of a measured point ran: the hosts by rank; or the problem."""

    source_point_id: str
    hosts: Sequence[str]
    problem: str


class WorkloadSpec(TypedDict, total=False):
    """Which keys a workload has, its kind decides."""

    kind: str
    message_bytes: Sequence[int] | None
    pattern: str
    include_self: bool
    hotspot_nodes: int | Sequence[int]
    hotspot_fraction: float
    per_node: int
    outstanding: int | Literal["all"]
    file: str
    file_sha256: str
    injection_rate: float
    injection_process: str
    burst_messages: float
    burst_rate: float | None
    search: str | None
    program: str
    ranks: int
    source: str
    source_sha256: str
    build: BuildSpec
    input: str | None
    input_sha256: str | None
    arguments: Sequence[str]
    #: Workloads of programs that run at once, each with when it begins and how often it runs.
    jobs: Sequence[WorkloadSpec]
    group_nodes: int
    start_s: float
    repeat: int | str


class PointSpec(TypedDict):
    """One resolved question to one engine."""

    engine: str
    seed: int
    topology: TopologySpec
    network: NetworkSpec
    workload: WorkloadSpec
    options: OptionsSpec

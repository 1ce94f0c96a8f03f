"""Points for engine `booksim`, as the planner makes them, and jobs that ask them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.config.model.engine import declared_engines
from weft.engines.base import ShardJob
from weft.engines.booksim.engine import BookSimEngine
from weft.engines.booksim.simulation import simulations
from weft.machine import MachineFile

ROOT = Path(__file__).parents[3]
MESH = {"kind": "mesh", "sizes": [4, 4], "k": 4, "dimensions": 2, "nodes": 16}
TORUS = {**MESH, "kind": "torus", "ties": "random"}
TREE = {"kind": "fat_tree", "k": 4, "levels": 2, "routing": "nca", "nodes": 16}
FLY = {"kind": "fly", "k": 4, "stages": 2, "routing": "destination_tag", "nodes": 16}
NETWORK = {"bandwidth_bytes_per_s": 125e6, "latency_s": 0.0, "hop_latency_s": 0.0}
TRAFFIC = {
    "kind": "traffic", "pattern": "uniform", "include_self": True, "injection_rate": 0.2,
    "message_bytes": [256], "per_node": 100,
}  # fmt: skip
BATCH = {
    "kind": "messages", "pattern": "uniform", "include_self": True, "per_node": 10,
    "outstanding": "all", "message_bytes": [125],
}  # fmt: skip


def options(**more: Any) -> dict[str, Any]:
    """The declared defaults, with others in their places."""
    model = declared_engines(ROOT / "configs")["booksim"].model
    return {**model().spec(), **more}


def point(
    topology: Mapping[str, Any] = MESH,
    workload: Mapping[str, Any] = TRAFFIC,
    network: Mapping[str, Any] = NETWORK,
    seed: int = 1,
    name: str = "a",
    **more: Any,
) -> dict[str, Any]:
    """A resolved point; `more` are options."""
    return {
        "point_id": name * 12, "digest": name * 12, "engine": "booksim", "seed": seed,
        "topology": topology, "network": network, "workload": workload, "options": options(**more),
    }  # fmt: skip


def configuration(*parts: Any, **more: Any) -> dict[str, Any]:
    """What is written for a point with one message size."""
    (found,) = simulations(point(*parts, **more))
    return dict(found.configuration)


def run(
    folder: Path,
    machine: Mapping[str, Any],
    points: Sequence[Mapping[str, Any]],
    threads: int = 1,
    version: str | None = None,
) -> list[dict[str, Any]]:
    """The journal after a run of the engine on `points`."""
    folder.mkdir(exist_ok=True)
    engine = BookSimEngine(("nodes",))
    known = MachineFile.read(machine)
    planned = version or engine.version(known, None)
    shard = {"engine": "booksim", "engine_version": planned, "points": points}
    job = ShardJob(shard, folder / "input.json", folder, threads, folder / "run.log", None, known)
    engine.run(job)
    return [json.loads(line) for line in job.journal.read_text().splitlines()]

"""Points for engine `simgrid`, as the planner makes them, and jobs that ask them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.config.model.engine import declared_engines
from weft.engines.base import Engine, ShardJob
from weft.engines.native import NativeEngine
from weft.engines.simgrid.engine import SimGridEngine
from weft.engines.simgrid.installation import find_library
from weft.machine import MachineFile

from tests.missing import missing

ROOT = Path(__file__).parents[3]
TORUS = {"kind": "torus", "sizes": [4, 3], "ties": "plus", "nodes": 12}
MESH = {"kind": "mesh", "sizes": [3, 3, 2], "nodes": 18}
TREE = {"kind": "fat_tree", "k": 3, "levels": 2, "routing": "dmodk", "nodes": 9}
CUBE = {"kind": "hypercube", "dimensions": 4, "nodes": 16}
CROSSBAR = {"kind": "crossbar", "nodes": 5}
FLY = {"kind": "fly", "k": 3, "stages": 2, "routing": "destination_tag", "nodes": 9}
BUTTERFLY = {
    "kind": "flattened_butterfly", "k": 3, "dimensions": 2, "concentration": 2,
    "routing": "minimal", "nodes": 18,
}  # fmt: skip
DRAGONFLY = {"kind": "dragonfly", "p": 1, "a": 2, "h": 1, "routing": "minimal", "nodes": 6}
TOPOLOGIES = (TORUS, MESH, TREE, CUBE, CROSSBAR, FLY, BUTTERFLY, DRAGONFLY)
NETWORK = {"bandwidth_bytes_per_s": 125e6, "latency_s": 0.0, "hop_latency_s": 0.0}
DELAYED = {"bandwidth_bytes_per_s": 125e6, "latency_s": 1e-6, "hop_latency_s": 3e-7}
UNIFORM = {
    "kind": "messages", "pattern": "uniform", "include_self": False, "per_node": 10,
    "outstanding": 1, "message_bytes": [1000],
}  # fmt: skip


def options(**more: Any) -> dict[str, Any]:
    """The declared defaults, with others in their places."""
    model = declared_engines(ROOT / "configs")["simgrid"].model
    return {**model().spec(), **more}


def point(
    topology: Mapping[str, Any] = TORUS,
    workload: Mapping[str, Any] = UNIFORM,
    network: Mapping[str, Any] = NETWORK,
    seed: int = 1,
    **more: Any,
) -> dict[str, Any]:
    """A resolved point; `more` are options."""
    name = "a" * 12
    return {
        "point_id": name, "digest": name, "engine": "simgrid", "seed": seed,
        "topology": topology, "network": network, "workload": workload, "options": options(**more),
    }  # fmt: skip


def sent(folder: Path, *messages: tuple[int, int, int, float]) -> dict[str, Any]:
    """A list of messages from a file: src, dst, bytes and start of each."""
    lines = "".join(f"{src},{dst},{size},{start}\n" for src, dst, size, start in messages)
    file = folder / "list.csv"
    file.write_text("src,dst,bytes,start_s\n" + lines)
    return {
        "kind": "messages", "pattern": "file", "file": str(file), "outstanding": "all",
        "message_bytes": None,
    }  # fmt: skip


def needs_simgrid() -> None:
    """Skips the test where there is no SimGrid."""
    if find_library(MachineFile()) is None:
        missing("no SimGrid here")


def run(
    engine: Engine,
    folder: Path,
    points: Sequence[Mapping[str, Any]],
    machine: Mapping[str, Any] = {},
    version: str | None = None,
) -> list[dict[str, Any]]:
    """The journal after a run of the engine on `points`."""
    folder.mkdir(exist_ok=True)
    known = MachineFile.read(machine)
    planned = version or engine.version(known, None)
    shard = {"schema": 1, "engine": engine.name, "engine_version": planned, "shard": "0"}
    shard["points"] = [{**each, "engine": engine.name} for each in points]
    file = folder / "input.json"
    file.write_text(json.dumps(shard))
    engine.run(ShardJob(shard, file, folder, 1, folder / "run.log", None, known))
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


def answer(folder: Path, asked: Mapping[str, Any]) -> dict[str, float]:
    """SimGrid's metrics of a point of one size."""
    (line,) = run(SimGridEngine(("messages", "links")), folder, [asked])
    assert line["error"] is None, line
    return {row["metric"]: row["value"] for row in line["metrics"]}


def flow_answer(folder: Path, asked: Mapping[str, Any]) -> dict[str, float]:
    """Flow's metrics of the same point by max-min fairness."""
    plain = {**asked, "options": {"model": "max_min", "tables": asked["options"]["tables"]}}
    (line,) = run(NativeEngine("flow", "crate", ("messages", "links")), folder, [plain])
    assert line["error"] is None, line
    return {row["metric"]: row["value"] for row in line["metrics"]}


def finish_s(folder: Path) -> dict[tuple[int, int, int, int], tuple[float, float]]:
    """Start and end by message, of the table that a run has left."""
    with (folder / f"messages-{'a' * 12}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = ("message_id", "src", "dst", "bytes")
    return {
        tuple(int(row[key]) for key in keys): (float(row["start_s"]), float(row["finish_s"]))
        for row in rows
    }


def links(folder: Path) -> dict[str, tuple[float, float, float]]:
    """Bytes, busy time and utilisation by link, of the table that a run has left."""
    with (folder / f"links-{'a' * 12}.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = ("bytes", "busy_s", "utilisation")
    return {row["link"]: tuple(float(row[key]) for key in keys) for row in rows}

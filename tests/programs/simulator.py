"""Points of programs, computed by the engine `rdma` or another one."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
BINARIES = ROOT / "simulators" / "target" / "release"
HERE = Path(__file__).parent
#: A crossbar on which every message takes 1 us, whatever its size.
NETWORK = {"bandwidth_bytes_per_s": 1e12, "latency_s": 1e-6, "hop_latency_s": 0.0}
OPTIONS: dict[str, Any] = {
    "payload": "delivered",
    "eager_limit_bytes": 1 << 30,
    "zero_copy_limit_bytes": None,
    "rank_to_node": "linear",
    "ranks_per_node": 1,
    "rank_file": None,
    "stack_bytes": 65536,
    "loop_limit_s": 30.0,
    "tables": [],
    "series_interval_s": 1e-6,
}
#: What `packet` has beside them: routers as quick as they can be, with packets of 256 bytes.
PACKET_OPTIONS: dict[str, Any] = {
    **{f"{stage}_delay_cycles": 1 for stage in ("vc_allocation", "switch_allocation")},
    **{"switch_traversal_delay_cycles": 1, "routing_delay_cycles": 1, "credit_delay_cycles": 0},
    **{f"{kind}_latency_cycles": 1 for kind in ("channel", "injection", "ejection")},
    **{"class_latency_cycles": {}, "virtual_channels": 2, "vc_buffer_flits": 32},
    **{"packet_flits": 16, "flit_bytes": 16, "speculative": False, "switching": "wormhole"},
    **{"vc_allocator": "islip", "switch_allocator": "islip", "allocator_iterations": 1},
    **{"arbiter": "round_robin", "wait_for_tail_credit": False, "hold_switch_for_packet": False},
    **{"torus_classes": "dateline", "warmup_cycles": None, "measure_cycles": 1000},
    **{"drain_cycles": 1000, "max_cycles": 1000, "confidence": 0.95},
    "series_interval_cycles": 100,
}
#: What `anet` has beside them: its defaults.
ANET_OPTIONS: dict[str, Any] = {
    **{"send_setup_s": 1.67e-6, "routing_s": 0.89e-6, "link_s": 0.16e-6, "interrupt_s": 0.0},
    **{"host_byte_s": 66.667e-9, "least_message_bytes": 35, "turns": 2, "ports_file": None},
    **{"packet_buffer_bytes": 16384, "when_full": "ask_both", "choice": "first_free"},
    "duplex": "half",
}
#: Options that an engine has beside those of programs.
OF_ENGINE = {"flow": {"model": "max_min"}, "packet": PACKET_OPTIONS, "anet": ANET_OPTIONS}


@cache
def _programs() -> tempfile.TemporaryDirectory[str]:
    """Where all tests keep what they compiled: that takes a second, a point milliseconds."""
    return tempfile.TemporaryDirectory(prefix="weft-programs-")


def simulated(
    folder: Path,
    source: Path,
    ranks: int,
    sizes: list[int] | None = None,
    arguments: tuple[str, ...] = (),
    network: dict[str, Any] | None = None,
    *,
    engine: str = "rdma",
    topology: dict[str, Any] | None = None,
    reads: Path | None = None,
    **options: Any,
) -> dict[str, float]:
    """The metrics of one point, of its last size."""
    done, _ = run_point(
        folder, source, ranks, sizes, arguments, network, engine, topology, reads, **options
    )
    return done


def run_point(
    folder: Path,
    source: Path,
    ranks: int,
    sizes: list[int] | None = None,
    arguments: tuple[str, ...] = (),
    network: dict[str, Any] | None = None,
    engine: str = "rdma",
    topology: dict[str, Any] | None = None,
    reads: Path | None = None,
    build: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[dict[str, float], str]:
    """The metrics of one point at its last size, and its log. The program may read `reads`; with
    `build` it has several files, whose paths count from `folder`."""
    line, log = run_line(
        folder, source, ranks, sizes, arguments, network, engine, topology, options, reads, build
    )
    assert line["status"] == "done", line["error"]
    return {metric["metric"]: metric["value"] for metric in line["metrics"]}, log


def refusal(folder: Path, source: Path, ranks: int, arguments: tuple[str, ...]) -> str:
    """The log of a point whose program ends with code 2."""
    line, log = run_line(folder, source, ranks, None, arguments, None, "flow", None, {})
    assert line["status"] == "failed"
    assert "ended with code 2" in line["error"]
    return log


def run_line(
    folder: Path,
    source: Path,
    ranks: int,
    sizes: list[int] | None,
    arguments: tuple[str, ...],
    network: dict[str, Any] | None,
    engine: str,
    topology: dict[str, Any] | None,
    options: dict[str, Any],
    reads: Path | None = None,
    build: Mapping[str, Any] | None = None,
    jobs: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], str]:
    """The line of one point in the journal, and the log. `jobs` are further keys of a workload with
    several jobs."""
    workload = {
        "kind": "program",
        "program": source.stem,
        "source": str(source),
        "ranks": ranks,
        "message_bytes": sizes,
        "arguments": list(arguments),
        "input": None if reads is None else str(reads),
    }
    if build is not None:
        workload["build"] = build
    workload |= jobs or {}
    point = {
        "point_id": "p",
        "digest": "d",
        "engine": engine,
        "seed": 1,
        "topology": topology or {"kind": "crossbar", "nodes": ranks},
        "network": network or NETWORK,
        "workload": workload,
        "options": OPTIONS | OF_ENGINE.get(engine, {}) | options,
    }
    (line,), log = run_shard(folder, engine, [point])
    return line, log


def run_shard(
    folder: Path, engine: str, points: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], str]:
    """The lines of these points in the journal, and the log."""
    binary = BINARIES / f"weft-{engine}"
    if not binary.exists():
        pytest.fail("the simulators are not built: make build")
    shard = {"schema": 1, "engine": engine, "engine_version": "0", "shard": "s", "points": points}
    (folder / "in.json").write_text(json.dumps(shard))
    (folder / "out" / "journal.jsonl").unlink(missing_ok=True)
    command = [binary, "run", "--shard", folder / "in.json", "--out", folder / "out"]
    ran = subprocess.run(
        [*command, "--threads", "1"],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        cwd=folder,
        env={**os.environ, "WEFT_PROGRAM_CACHE": _programs().name},
    )
    lines = (folder / "out" / "journal.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines], ran.stderr

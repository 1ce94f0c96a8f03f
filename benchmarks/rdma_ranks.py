"""Ranks of `weft-rdma`: cost of a switch, and 131,072 ranks in a barrier by recursive doubling.

The barrier is that of `programs/lib/` (messages) and that of `programs/` (one-sided puts of 8
bytes), on a 64x64x32 torus with the NIC of NSIM-ACE's Table 1. Exit code 1 if one of them takes
more than 30 CPU seconds or 8 GiB.

    python3 benchmarks/rdma_ranks.py
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SIMULATORS = ROOT / "simulators"
RELEASE = SIMULATORS / "target" / "release"
PROGRAMS = ("barrier", "barrier_recursive_doubling")
SIZES = (64, 64, 32)
BAR_CPU_S = 30.0
BAR_BYTES = 8 << 30

NETWORK = {
    "bandwidth_bytes_per_s": 4e9,
    "latency_s": 0.0,
    "hop_latency_s": 0.0,
    "packet": {"mtu_bytes": 2048, "header_bytes": 32, "control_bytes": 0, "flit_bytes": 16},
    "router": {"switch_s": 128e-9, "virtual_channels": 2, "vc_buffer_bytes": 8192},
    "cables": {"cable_s": 12e-9, "injection_s": 12e-9},
    "nic": {"dma_bytes_per_s": 2.8e9, "memory_bytes_per_s": 5e9},
    "software": {"send_overhead_s": 1e-7, "receive_overhead_s": 1e-7, "put_s": 1.3e-6},
}
OPTIONS = {
    "payload": "delivered",
    "eager_limit_bytes": 16384,
    "zero_copy_limit_bytes": None,
    "barrier_algorithm": "recursive_doubling",
    "rank_to_node": "linear",
    "ranks_per_node": 1,
    "rank_file": None,
    "stack_bytes": 65536,
    "loop_limit_s": 30.0,
    "tables": [],
    "series_interval_s": 1e-6,
    "congestion_ports": None,
}


def point(program: str) -> dict[str, Any]:
    """A point with a rank on every node of the torus."""
    ranks = SIZES[0] * SIZES[1] * SIZES[2]
    source = str(ROOT / "programs" / f"{program}.c")
    return {
        "point_id": program,
        "digest": "benchmark",
        "engine": "rdma",
        "seed": 1,
        "topology": {"kind": "torus", "sizes": SIZES, "ties": "plus", "nodes": ranks},
        "network": NETWORK,
        "workload": {
            "kind": "program",
            "program": program,
            "source": source,
            "ranks": ranks,
            "message_bytes": None,
            "arguments": [],
        },
        "options": OPTIONS,
    }


def barriers(folder: Path) -> list[dict[str, Any]]:
    """Lines of the journal."""
    shard = folder / "in.json"
    points = [point(program) for program in PROGRAMS]
    shard.write_text(json.dumps({"schema": 1, "engine": "rdma", "points": points}))
    command = [RELEASE / "weft-rdma", "run", "--shard", shard, "--out", folder / "out"]
    environment = {**os.environ, "WEFT_PROGRAM_CACHE": str(folder / "programs")}
    subprocess.run(command, check=True, env=environment)
    return [json.loads(line) for line in (folder / "out/journal.jsonl").read_text().splitlines()]


def main() -> int:
    """Measure and print."""
    build = [
        "cargo",
        "build",
        "--release",
        "-q",
        "-p",
        "rdma",
        "-p",
        "ranks",
        "--bins",
        "--examples",
    ]
    subprocess.run(build, check=True, cwd=SIMULATORS)
    switches = subprocess.run(
        [RELEASE / "examples" / "switches"], check=True, capture_output=True, text=True
    )
    for line in map(json.loads, switches.stdout.splitlines()):
        print(
            f"{line['ranks']:>8,} ranks: {line['switch_ns']:>6.1f} ns a switch, {line['bytes']} B"
        )
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        for line in barriers(Path(folder)):
            values = {metric["metric"]: metric["value"] for metric in line["metrics"]}
            cpu_s, used = line["cpu_s"], line["peak_rss_bytes"]
            failed = line["status"] != "done" or cpu_s > BAR_CPU_S or used > BAR_BYTES
            missed += failed
            print(
                f"{line['point_id']}: {line['error'] or 'done'}, {cpu_s:.1f} CPU s, "
                f"{used / 2**30:.2f} GiB, {values.get('packet_hops', 0):,.0f} packet-hops"
            )
    print(f"bar: {BAR_CPU_S:.0f} CPU s, {BAR_BYTES >> 30} GiB")
    return 1 if missed else 0


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    sys.exit(main())

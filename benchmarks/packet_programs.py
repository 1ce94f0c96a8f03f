"""Speed of `weft-packet` under programs, as a part of its speed under traffic.

All-to-alls of 64 ranks (`programs/alltoall.c`) on a mesh, a torus and a fat tree with adaptive
routes. Beside each runs uniform traffic with the same routers, packets and links, at the rate at
which the program sent on average. A flit-router-hop is a flit sent by a router; the bar is 0.8
times as many per CPU second as under traffic. One thread; each case runs `--runs` times (default
3) and the least CPU time counts: whole process, user and system, without compiling the program.
Exit code 1 if a bar is missed.

    python3 benchmarks/packet_programs.py
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from flow import usage_of
from packet import BINARY, OPTIONS, ROOT, point

BAR = 0.8
NODES = 64
CYCLE_S = 16 / 4e9
SOURCE = ROOT / "programs" / "alltoall.c"
ROUTERS = OPTIONS | {
    "packet_flits": 16, "flit_bytes": 16, "vc_buffer_flits": 16, "virtual_channels": 4,
    "warmup_cycles": 2000,
}  # fmt: skip
RUNNING = {
    "payload": "sizes", "eager_limit_bytes": 16384, "zero_copy_limit_bytes": None,
    "rank_to_node": "linear", "ranks_per_node": 1, "rank_file": None, "stack_bytes": 65536,
    "loop_limit_s": 30.0,
}  # fmt: skip
TOPOLOGIES = {
    "mesh": {"kind": "mesh", "sizes": [8, 8], "nodes": NODES},
    "torus": {"kind": "torus", "sizes": [8, 8], "ties": "plus", "nodes": NODES},
    "fat tree": {"kind": "fat_tree", "k": 4, "levels": 3, "routing": "anca", "nodes": NODES},
}
SIZES = (1024, 16_384)


def asked(topology: dict, workload: dict, options: dict) -> dict:
    """A point on links of 4 GB/s."""
    network = {"bandwidth_bytes_per_s": 4e9, "latency_s": 0.0, "hop_latency_s": 0.0}
    return point(topology, workload, ROUTERS | options) | {"network": network}


def program(topology: dict, size: int) -> dict:
    """The all-to-all."""
    workload = {
        "kind": "program", "program": SOURCE.stem, "source": str(SOURCE), "ranks": NODES,
        "message_bytes": [size], "arguments": [],
    }  # fmt: skip
    return asked(topology, workload, RUNNING)


def traffic(topology: dict, rate: float, cycles: int) -> dict:
    """Uniform traffic at a rate in flits per node and cycle."""
    workload = {
        "kind": "traffic", "pattern": "uniform", "include_self": False, "per_node": 1,
        "injection_rate": rate, "message_bytes": [256],
    }  # fmt: skip
    return asked(topology, workload, {"measure_cycles": cycles})


def measure(case: dict, folder: Path, runs: int) -> tuple[float, dict[str, float]]:
    """Least CPU seconds, and the metrics."""
    source, journal = folder / "in.json", folder / "journal.jsonl"
    shard = {"schema": 1, "engine": "packet", "shard": "benchmark", "points": [case]}
    source.write_text(json.dumps(shard))
    command = [str(BINARY), "run", "--shard", str(source), "--out", str(folder), "--threads", "1"]
    least = float("inf")
    # The first run compiles the program.
    for run in range(runs + 1):
        journal.unlink(missing_ok=True)
        cpu_s = usage_of(command)[0]
        least = min(least, cpu_s) if run else least
    line = json.loads(journal.read_text())
    if line["status"] != "done":
        raise SystemExit(f"{case}: {line['error']}")
    return least, {metric["metric"]: metric["value"] for metric in line["metrics"]}


def row(name: str, size: int, folder: Path, runs: int) -> bool:
    """Measure and print a case; whether it reaches the bar."""
    topology = TOPOLOGIES[name]
    cpu_s, found = measure(program(topology, size), folder, runs)
    cycles = found["program_time_s"] / CYCLE_S
    rate = found["wire_bytes"] / 16 / NODES / cycles
    # As many flits as the program's, so that neither has more of a start to pay.
    traffic_s, offered = measure(traffic(topology, rate, max(int(cycles), 2000)), folder, runs)
    speed = found["flit_router_visits"] / cpu_s
    open_loop = offered["flit_router_visits"] / traffic_s
    shown = (f"{rate:.3f}", f"{found['flit_router_visits']:,.0f}", f"{cpu_s:.2f}")
    rates = (f"{speed / 1e6:.2f}", f"{open_loop / 1e6:.2f}", f"{speed / open_loop:.2f}")
    print(FORM.format(name, size, *shown, *rates), flush=True)
    return speed >= BAR * open_loop


FORM = "{:<9} {:>7} {:>6} {:>13} {:>6} {:>6} {:>8} {:>6}"


def main() -> int:
    """Print the table; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="runs per case, the fastest counts")
    runs = parser.parse_args().runs
    if not BINARY.exists():
        raise SystemExit("build first: cargo build --release --manifest-path simulators/Cargo.toml")
    print(FORM.format("network", "bytes", "load", "hops", "CPU s", "M/s", "traffic", "ratio"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["WEFT_PROGRAM_CACHE"] = str(folder / "programs")
        good = [row(name, size, folder, runs) for name in TOPOLOGIES for size in SIZES]
    print("all bars met" if all(good) else f"{good.count(False)} bars missed")
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())

"""Speed and memory of `weft-packet`, beside what BookSim2 was measured to do.

Two networks of 2 virtual channels with 8-flit buffers under uniform traffic, as in `speed.csv` of
`simulators/packet/tests/data/booksim2`, and Table 1 of the MFS paper: a k-ary 3-tree, ten packets
of 40 flits per node. One thread; each case runs `--runs` times (default 3) and the least CPU time
counts: whole process, user and system. A flit-router-hop is a flit sent by a router. The bar of a
row is ten times BookSim2's rate; where a `booksim` or `booksim2` is on the PATH it runs the same
configuration now, and the ratio of both is printed. Exit code 1 if a bar is missed.

Section "Speed" of `docs/packet.md` says where the time of the mesh goes. In large trees the buffers
are in no cache, and reading them is the largest part.

    python3 benchmarks/packet.py
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from flow import usage_of

ROOT = Path(__file__).parents[1]
BINARY = ROOT / "simulators" / "target" / "release" / "weft-packet"
MEASURED = ROOT / "simulators" / "packet" / "tests" / "data" / "booksim2"
#: How many times faster than BookSim2.
RATIO = 10
#: BookSim2 ends a good run with 255.
BOOKSIM_GOOD_CODES = (0, 255)

OPTIONS = {
    "virtual_channels": 2, "vc_buffer_flits": 8, "routing_delay_cycles": 1,
    "vc_allocation_delay_cycles": 1, "switch_allocation_delay_cycles": 1,
    "switch_traversal_delay_cycles": 1, "credit_delay_cycles": 0, "speculative": False,
    "switching": "wormhole", "vc_allocator": "islip", "switch_allocator": "islip",
    "allocator_iterations": 1, "arbiter": "round_robin", "wait_for_tail_credit": False,
    "hold_switch_for_packet": False, "channel_latency_cycles": 1, "injection_latency_cycles": 1,
    "ejection_latency_cycles": 1, "class_latency_cycles": {}, "packet_flits": 40,
    "flit_bytes": None, "torus_classes": "dateline", "warmup_cycles": None,
    "measure_cycles": 10_000, "drain_cycles": 100_000, "max_cycles": 1_000_000,
    "confidence": 0.95, "tables": [], "series_interval_cycles": 100,
}  # fmt: skip


@dataclass(frozen=True)
class Load:
    """A row of `speed.csv`."""

    name: str
    topology: str
    k: int
    flits: int
    rate: float
    hops_per_s: float

    @property
    def period_cycles(self) -> int:
        """BookSim2's sample period; one is discarded, nine are measured."""
        return 1000 if self.topology == "mesh" else 400

    def point(self) -> dict:
        """The point of weft."""
        topology: dict = {"kind": self.topology, "sizes": [self.k, self.k], "nodes": self.k**2}
        options = OPTIONS | {
            "packet_flits": self.flits,
            "warmup_cycles": self.period_cycles,
            "measure_cycles": 9 * self.period_cycles,
        }
        if self.topology == "torus":
            topology["ties"] = "random"
            options["channel_latency_cycles"] = 2
        workload = {
            "kind": "traffic", "pattern": "uniform", "include_self": True, "per_node": 1,
            "injection_rate": self.rate, "message_bytes": [16 * self.flits],
        }  # fmt: skip
        return point(topology, workload, options)

    def configuration(self) -> dict[str, object]:
        """The parameters of BookSim2."""
        return {
            "topology": self.topology, "k": self.k, "n": 2,
            "routing_function": "dor" if self.topology == "mesh" else "dim_order",
            "sim_type": "throughput", "injection_rate": self.rate, "injection_rate_uses_flits": 1,
            "packet_size": self.flits, "num_vcs": 2, "vc_buf_size": 8,
            "sample_period": self.period_cycles, "warmup_periods": 1, "max_samples": 10,
            "stopping_thres": 0.0, "acc_stopping_thres": 0.0, "latency_thres": 1e12,
            "deadlock_warn_timeout": 100_000,
        }  # fmt: skip


@dataclass(frozen=True)
class Batch:
    """A row of Table 1."""

    k: int
    paper: str
    bar_cpu_s: float | None = None
    bar_mb: float | None = None

    def point(self) -> dict:
        """The point of weft."""
        topology = {
            "kind": "fat_tree", "k": self.k, "levels": 3, "routing": "nca", "nodes": self.k**3,
        }  # fmt: skip
        workload = {
            "kind": "messages", "pattern": "uniform", "per_node": 10, "outstanding": "all",
            "message_bytes": [125], "include_self": True,
        }  # fmt: skip
        return point(topology, workload, OPTIONS | {"vc_buffer_flits": 10})

    def configuration(self) -> dict[str, object]:
        """The parameters of BookSim2."""
        return {
            "topology": "fattree", "k": self.k, "n": 3, "routing_function": "nca",
            "sim_type": "batch", "batch_size": 10, "batch_count": 1,
            "max_outstanding_requests": 0, "packet_size": 40, "num_vcs": 2, "vc_buf_size": 10,
        }  # fmt: skip


BATCHES = (
    Batch(16, "142.4 s, 1300 MB"),
    Batch(22, "855.0 s, 7200 MB", 60, 1024 * 1.048576),
    Batch(36, "not run"),
)


def point(topology: dict, workload: dict, options: dict) -> dict:
    """A point of a shard."""
    return {
        "point_id": "benchmark", "digest": "benchmark", "engine": "packet", "seed": 1,
        "topology": topology, "workload": workload, "options": options,
        "network": {"bandwidth_bytes_per_s": 125e6, "latency_s": 0.0, "hop_latency_s": 0.0},
    }  # fmt: skip


def loads() -> list[Load]:
    """The rows of `speed.csv`."""
    with (MEASURED / "speed.csv").open(newline="") as file:
        return [
            Load(
                row["name"],
                row["topology"],
                int(row["k"]),
                int(row["packet_size_flits"]),
                float(row["offered_flits_per_node_cycle"]),
                float(row["flit_router_hops_per_cpu_s"]),
            )
            for row in csv.DictReader(file)
        ]


def measure(case: Load | Batch, folder: Path, runs: int) -> tuple[float, dict[str, float], float]:
    """Least CPU seconds, the metrics, and peak megabytes."""
    source, journal = folder / "in.json", folder / "journal.jsonl"
    shard = {"schema": 1, "engine": "packet", "shard": "benchmark", "points": [case.point()]}
    source.write_text(json.dumps(shard))
    command = [str(BINARY), "run", "--shard", str(source), "--out", str(folder), "--threads", "1"]
    least = float("inf")
    for _ in range(runs):
        journal.unlink(missing_ok=True)
        least = min(least, usage_of(command)[0])
    line = json.loads(journal.read_text())
    if line["status"] != "done":
        raise SystemExit(f"{case}: {line['error']}")
    metrics = {metric["metric"]: metric["value"] for metric in line["metrics"]}
    return least, metrics, line["peak_rss_bytes"] / 1e6


def booksim_cpu_s(case: Load | Batch, folder: Path, runs: int) -> float | None:
    """Least CPU seconds of BookSim2 with the same configuration, if it is on the PATH."""
    program = shutil.which("booksim") or shutil.which("booksim2")
    if program is None:
        return None
    file = folder / "booksim.cfg"
    keys = {"traffic": "uniform", "vc_allocator": "islip", "sw_allocator": "islip", "seed": 1}
    lines = [f"{key} = {value};" for key, value in (keys | case.configuration()).items()]
    file.write_text("\n".join(lines) + "\n")
    return min(usage_of([program, str(file)], BOOKSIM_GOOD_CODES)[0] for _ in range(runs))


def loads_table(folder: Path, runs: int) -> int:
    """Measure and print the rates; the number of bars missed."""
    missed = 0
    form = "{:<11} {:>5} {:>5} {:>11} {:>8} {:>7} {:>7} {:>7}  {}"
    print(form.format("network", "flits", "load", "hops", "CPU s", "M/s", "bar", "ratio", "now"))
    for case in loads():
        cpu_s, metrics, _ = measure(case, folder, runs)
        rate = metrics["flit_router_visits"] / cpu_s
        missed += rate < RATIO * case.hops_per_s
        theirs = booksim_cpu_s(case, folder, runs)
        now = "-" if theirs is None else f"{theirs:.2f} s, {theirs / cpu_s:.1f} times"
        shown = [f"{metrics['flit_router_visits']:,.0f}", f"{cpu_s:.3f}", f"{rate / 1e6:.2f}"]
        shown += [f"{RATIO * case.hops_per_s / 1e6:.2f}", f"{rate / case.hops_per_s:.1f}", now]
        print(form.format(case.name, case.flits, case.rate, *shown), flush=True)
    return missed


def batches_table(folder: Path, runs: int) -> int:
    """Measure and print Table 1; the number of bars missed."""
    missed = 0
    form = "{:<4} {:>7} {:>8} {:>6} {:>8} {:>6} {:>8} {:>7}  {:<18} {}"
    names = ("k", "nodes", "CPU s", "bar", "MB", "bar", "cycles", "M/s", "paper's BookSim", "now")
    print("\n" + form.format(*names))
    for case in BATCHES:
        cpu_s, metrics, megabytes = measure(case, folder, 1)
        bars = ((cpu_s, case.bar_cpu_s), (megabytes, case.bar_mb))
        missed += any(bar is not None and value > bar for value, bar in bars)
        # A batch of BookSim2 of this size takes minutes.
        theirs = booksim_cpu_s(case, folder, 1) if case.k == 16 else None
        now = "-" if theirs is None else f"{theirs:.1f} s, {theirs / cpu_s:.1f} times"
        shown = [f"{cpu_s:.2f}", f"{case.bar_cpu_s or '-'}", f"{megabytes:.1f}"]
        shown += [f"{case.bar_mb:.0f}" if case.bar_mb else "-", f"{metrics['makespan_cycles']:.0f}"]
        shown += [f"{metrics['flit_router_visits'] / cpu_s / 1e6:.2f}", case.paper, now]
        print(form.format(case.k, f"{case.k**3:,}", *shown), flush=True)
    return missed


def main() -> int:
    """Print both tables; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="runs per case, the fastest counts")
    runs = parser.parse_args().runs
    if not BINARY.exists():
        raise SystemExit("build first: cargo build --release --manifest-path simulators/Cargo.toml")
    with tempfile.TemporaryDirectory() as folder:
        missed = loads_table(Path(folder), runs) + batches_table(Path(folder), runs)
    print("all bars met" if not missed else f"{missed} bars missed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())

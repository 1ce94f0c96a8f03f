"""Messages per CPU second of `weft-rdma` beside SimGrid's SMPI: all-to-alls of 256 ranks.

The 8x8x4 torus of `simulators/rdma/tests/data/smpi`: links of 4 GB/s, 100 ns per hop, exchanges in
steps with `MPI_Sendrecv`, 16 bytes added to every message. SMPI's CPU time is the recorded one, of
another machine; where `smpirun` is installed the same program runs here, too, and that time counts.
SMPI moves a message as one flow, so ours is measured twice: with packets of 2 KiB, and with one
packet per message; its last cable to the node, 100 ns, SMPI has not. SMPI's CPU time includes its
start. Exit code 1 if a row with one packet per message is below the bar.

    python3 benchmarks/rdma_smpi.py
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SIMULATORS = ROOT / "simulators"
PROGRAM = SIMULATORS / "target" / "release" / "weft-rdma"
ROWS = SIMULATORS / "rdma" / "tests" / "data" / "smpi" / "alltoall_torus.csv"
PROGRAMS = {"xor": "alltoall_pairwise", "shift": "alltoall_ring"}
RANKS, SIZES = 256, (8, 8, 4)
MESSAGES = RANKS * (RANKS - 1)
SMPI_HEADER_BYTES = 16
#: Messages per CPU second, ours divided by SMPI's.
BAR = 20.0
EXCHANGE = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, size, bytes = atoi(argv[1]), is_xor = argv[2][0] == 'x';
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *out = SMPI_SHARED_MALLOC(bytes), *in = SMPI_SHARED_MALLOC(bytes);
    for (int step = 1; step < size; step++) {
        int to = is_xor ? rank ^ step : (rank + step) % size;
        int from = is_xor ? to : (rank - step + size) % size;
        MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
"""
PLATFORM = f"""<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="torus" prefix="n" suffix="" radical="0-{RANKS - 1}" speed="1Gf" bw="4GBps"
           lat="100ns" topology="TORUS" topo_parameters="{",".join(map(str, SIZES))}"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""
CONFIG = (
    "network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1",
    "network/TCP-gamma:0", "network/crosstraffic:0", "surf/precision:1e-12",
    "maxmin/precision:1e-9", "smpi/simulate-computation:no", "contexts/stack-size:64",
)  # fmt: skip


def point(algorithm: str, size_bytes: int, mtu_bytes: int) -> dict[str, Any]:
    """What the simulator is asked."""
    name = PROGRAMS[algorithm]
    buffer = max(8192, mtu_bytes)
    return {
        "point_id": "0", "digest": "0", "engine": "rdma", "seed": 1,
        "topology": {"kind": "torus", "sizes": SIZES},
        "network": {
            "bandwidth_bytes_per_s": 4e9,
            "packet": {"mtu_bytes": mtu_bytes},
            "router": {"vc_buffer_bytes": buffer},
            "cables": {"cable_s": 100e-9, "injection_s": 0.0},
        },
        "workload": {
            "kind": "program", "program": name, "source": str(ROOT / "programs" / f"{name}.c"),
            "ranks": RANKS, "message_bytes": None,
            "arguments": [str(size_bytes + SMPI_HEADER_BYTES)],
        },
        "options": {
            "payload": "sizes", "eager_limit_bytes": 2**20, "zero_copy_limit_bytes": None,
            "rank_to_node": "linear", "ranks_per_node": 1, "rank_file": None,
            "stack_bytes": 65536, "loop_limit_s": 30.0, "tables": [], "series_interval_s": 1e-6,
        },
    }  # fmt: skip


def ours(folder: Path, asked: dict[str, Any], runs: int) -> tuple[float, float]:
    """Least CPU seconds, and simulated seconds."""
    shard = {"schema": 1, "engine": "rdma", "engine_version": "0", "shard": "0"}
    (folder / "in.json").write_text(json.dumps({**shard, "points": [asked]}))
    best = 1e300
    for _ in range(runs):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        command = [str(PROGRAM), "run", "--shard", str(folder / "in.json"), "--out", str(out)]
        command += ["--threads", "1"]
        subprocess.run(command, check=True, cwd=folder, capture_output=True)
        line = json.loads((out / "journal.jsonl").read_text())
        best = min(best, line["cpu_s"])
    time = next(m["value"] for m in line["metrics"] if m["metric"] == "program_time_s")
    return best, time


def smpi(folder: Path, algorithm: str, size_bytes: int) -> float:
    """CPU seconds of `smpirun` on this machine."""
    (folder / "exchange.c").write_text(EXCHANGE)
    (folder / "torus.xml").write_text(PLATFORM)
    (folder / "hosts").write_text("".join(f"n{rank}\n" for rank in range(RANKS)))
    subprocess.run(["smpicc", "-O2", "exchange.c", "-o", "exchange"], check=True, cwd=folder)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["smpirun", "-np", str(RANKS), "-platform", "torus.xml", "-hostfile", "hosts"]
    command += [f"--cfg={entry}" for entry in CONFIG]
    command += ["./exchange", str(size_bytes), algorithm]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="weft-rdma beside SMPI.")
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    build = ["cargo", "build", "--release", "-q", "--locked", "-p", "rdma", "--bins"]
    subprocess.run(build, check=True, cwd=SIMULATORS)
    has_smpi = shutil.which("smpirun") is not None
    with ROWS.open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["note"] == "pure" and r["ranks"] == str(RANKS)]
    form = "{:<6} {:>6} {:>10} {:>8} | {:>8} {:>10} {:>7} {:>7} | {:>8} {:>10} {:>7} {:>7}"
    heads = ["CPU s", "messages/s", "x SMPI", "time"]
    print(f"SMPI: {'run here' if has_smpi else 'recorded'}; then packets of 2 KiB, of a message")
    print(form.format("steps", "bytes", "SMPI CPU s", "time ms", *heads, *heads))
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row in rows:
            algorithm, size = row["algorithm"], int(row["bytes_per_pair"])
            theirs = smpi(folder, algorithm, size) if has_smpi else float(row["cpu_s"])
            shown, ratio = [], 0.0
            whole = -(-(size + SMPI_HEADER_BYTES) // 16) * 16
            for mtu in (2048, whole):
                cpu, time = ours(folder, point(algorithm, size, mtu), runs)
                ratio = theirs / cpu
                relative = time / float(row["predicted_time_s"])
                shown += [f"{cpu:.3f}", f"{MESSAGES / cpu:,.0f}", f"{ratio:.1f}", f"{relative:.2f}"]
            missed += ratio < BAR
            time_ms = f"{1e3 * float(row['predicted_time_s']):.3f}"
            print(form.format(algorithm, size, f"{theirs:.2f}", time_ms, *shown), flush=True)
    print(f"bar: {BAR:.0f} x SMPI's messages per CPU second with a packet per message")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

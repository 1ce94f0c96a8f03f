"""Messages per CPU second of `weft-flow` and `weft-rdma` beside SimGrid's SMPI.

All-to-alls of 256 ranks on the 8x8x4 torus of `simulators/rdma/tests/data/smpi`: links of 4 GB/s,
100 ns per hop, exchanges in steps with `MPI_Sendrecv`, 16 bytes added to every message. SMPI moves
a message as one flow, as `weft-flow` does with either rule. `weft-rdma` is measured twice: with
packets of 2 KiB, and with one packet per message. The last cable to the node, 100 ns, SMPI has not.

Where `smpirun` is installed (Debian and Ubuntu: `apt install libsimgrid-dev`) the same program runs
in it between our runs, and its times here count; else those that are recorded, of another machine.
CPU times are those of the whole command, start included, the least of `--runs`. `time ms` is what
was predicted. Exit code 1 if a row of `weft-flow` is below the bar, or all rows of `weft-rdma`
together with one packet per message, or if SMPI's predictions are not the recorded ones: then it
simulated something else.

    python3 benchmarks/smpi.py
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SIMULATORS = ROOT / "simulators"
RELEASE = SIMULATORS / "target" / "release"
ROWS = SIMULATORS / "rdma" / "tests" / "data" / "smpi" / "alltoall_torus.csv"
PROGRAMS = {"xor": "alltoall_pairwise", "shift": "alltoall_ring"}
RANKS, SIZES = 256, (8, 8, 4)
MESSAGES = RANKS * (RANKS - 1)
SMPI_HEADER_BYTES = 16
#: Messages per CPU second, ours divided by SMPI's.
BAR = 20.0
#: SMPI's predicted times against the recorded ones: rounding changes which flow is served first.
SAME_TIME = 1e-4
#: Packets that hold a whole message.
WHOLE = "rdma, one packet"
#: Lines of a command that failed.
LAST_LINES = 20
EXCHANGE = """#include <mpi.h>
#include <stdio.h>
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
    printf("%.12e\\n", MPI_Wtime());
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
# A tighter `maxmin/precision` than 1e-8 is below the rounding of rates of 4e9 B/s: SimGrid aborts.
CONFIG = (
    "network/model:CM02", "network/bandwidth-factor:1", "network/latency-factor:1",
    "network/TCP-gamma:0", "network/crosstraffic:0", "surf/precision:1e-12",
    "maxmin/precision:1e-8", "smpi/simulate-computation:no", "contexts/stack-size:64",
)  # fmt: skip


def point(
    algorithm: str, size_bytes: int, mtu_bytes: int, engine: str = "rdma", **more: Any
) -> dict[str, Any]:
    """What the simulator is asked; `more` options are the engine's own."""
    name = PROGRAMS[algorithm]
    buffer = max(8192, mtu_bytes)
    return {
        "point_id": "0", "digest": "0", "engine": engine, "seed": 1,
        "topology": {"kind": "torus", "sizes": SIZES, "ties": "plus"},
        "network": {
            "bandwidth_bytes_per_s": 4e9,
            "packet": {"mtu_bytes": mtu_bytes},
            "router": {"vc_buffer_bytes": buffer},
            "cables": {"cable_s": 100e-9, "injection_s": 0.0},
            # As in SMPI.
            "nic": {"service": "round_robin" if engine == "flow" else "in_order"},
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
            **more,
        },
    }  # fmt: skip


@dataclass(frozen=True)
class Run:
    """CPU seconds of a command, and the simulated seconds that it printed."""

    cpu_s: float
    time_s: float


def started(command: list[str], folder: Path) -> tuple[float, str]:
    """CPU seconds and output; the last lines of a command that fails are shown."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()[-LAST_LINES:]
        sys.exit("\n".join([f"{' '.join(command)}: exit code {done.returncode}", *lines]))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def ours(folder: Path, asked: dict[str, Any]) -> Run:
    """One point by its engine."""
    name = f"weft-{asked['engine']}"
    shard = {"schema": 1, "engine": asked["engine"], "engine_version": "0", "shard": "0"}
    (folder / "in.json").write_text(json.dumps({**shard, "points": [asked]}))
    shutil.rmtree(folder / "out", ignore_errors=True)
    command = [str(RELEASE / name), "run", "--shard", "in.json", "--out", "out", "--threads", "1"]
    cpu_s, _ = started(command, folder)
    line = json.loads((folder / "out" / "journal.jsonl").read_text())
    if line["error"]:
        sys.exit(f"{name}: {line['error']}")
    return Run(cpu_s, next(m["value"] for m in line["metrics"] if m["metric"] == "program_time_s"))


def prepare_smpi(folder: Path) -> None:
    """The program, the platform and the hosts."""
    (folder / "exchange.c").write_text(EXCHANGE)
    (folder / "torus.xml").write_text(PLATFORM)
    (folder / "hosts").write_text("".join(f"n{rank}\n" for rank in range(RANKS)))
    started(["smpicc", "-O2", "exchange.c", "-o", "exchange"], folder)


def smpi(folder: Path, algorithm: str, size_bytes: int) -> Run:
    """One run of `smpirun`; every rank prints when it ended."""
    command = ["smpirun", "-np", str(RANKS), "-platform", "torus.xml", "-hostfile", "hosts"]
    command += [f"--cfg={entry}" for entry in CONFIG]
    cpu_s, output = started([*command, "./exchange", str(size_bytes), algorithm], folder)
    return Run(cpu_s, max(float(line) for line in output.splitlines() if "e-" in line))


def least(runs: list[Run]) -> Run:
    """The one with the least CPU time; predicted times are all the same."""
    return min(runs, key=lambda run: run.cpu_s)


def columns(algorithm: str, size_bytes: int) -> dict[str, dict[str, Any]]:
    """What is asked of whom for one row."""
    whole_bytes = -(-(size_bytes + SMPI_HEADER_BYTES) // 16) * 16
    rules = ("equal_share", "max_min")
    flows = {f"flow, {m}": point(algorithm, size_bytes, 2048, "flow", model=m) for m in rules}
    return {
        **flows,
        "rdma, 2 KiB": point(algorithm, size_bytes, 2048),
        WHOLE: point(algorithm, size_bytes, whole_bytes),
    }


def shown(base: Run, run: Run) -> list[str]:
    """Cells of one column."""
    cells = [f"{run.cpu_s:.3f}", f"{MESSAGES / run.cpu_s:,.0f}"]
    return [*cells, f"{base.cpu_s / run.cpu_s:.1f}", f"{1e3 * run.time_s:.4f}"]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="weft-flow and weft-rdma beside SMPI.")
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    build = ["cargo", "build", "--release", "-q", "--locked", "-p", "flow", "-p", "rdma", "--bins"]
    subprocess.run(build, check=True, cwd=SIMULATORS)
    has_smpi = shutil.which("smpirun") is not None
    with ROWS.open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["note"] == "pure" and r["ranks"] == str(RANKS)]
    form = "{:<5} {:>6} {:<17} | {:>6} {:>10} {:>6} {:>8}"
    print(f"SMPI is {'run here' if has_smpi else 'recorded, of another machine'}")
    print(form.format("steps", "bytes", "", "CPU s", "messages/s", "x SMPI", "time ms"))
    missed, theirs_s, message_s = 0, 0.0, 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if has_smpi:
            prepare_smpi(folder)
        for row in rows:
            algorithm, size = row["algorithm"], int(row["bytes_per_pair"])
            recorded = Run(float(row["cpu_s"]), float(row["predicted_time_s"]))
            asked = columns(algorithm, size)
            theirs, found = [], {label: [] for label in asked}
            for _ in range(runs):
                theirs.append(smpi(folder, algorithm, size) if has_smpi else recorded)
                for label, each in asked.items():
                    found[label].append(ours(folder, each))
            base = least(theirs)
            print(form.format(algorithm, size, "SMPI", *shown(base, base)), flush=True)
            for label, each in found.items():
                run = least(each)
                print(form.format("", "", label, *shown(base, run)), flush=True)
                missed += label.startswith("flow") and base.cpu_s / run.cpu_s < BAR
            theirs_s, message_s = theirs_s + base.cpu_s, message_s + least(found[WHOLE]).cpu_s
            if abs(base.time_s / recorded.time_s - 1) > SAME_TIME:
                print(f"SMPI's time is not the recorded one, {recorded.time_s} s")
                missed += 1
    print(f"all rows, {WHOLE}: {theirs_s / message_s:.1f} x SMPI")
    print(
        f"bar: {BAR:.0f} x SMPI's messages per CPU second in every row of flow, and in all of that"
    )
    return 1 if missed or theirs_s / message_s < BAR else 0


if __name__ == "__main__":
    sys.exit(main())

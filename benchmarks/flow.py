"""CPU seconds and memory of `weft-flow` on the workload of Table 1 of the MFS paper.

k-ary 3-tree, ten messages of 125 bytes per node to uniform destinations, one message per node under
way, channels of 125 MB/s, one thread. Each case runs `--runs` times (default 3) and the least CPU
time counts: whole process, user and system. The peak memory is the one that weft-flow reports, for
the kernel's count of a child process includes the interpreter that started it. SimGrid runs too if
a Python on the path can import it. Exit code 1 if a bar is missed.

What limits each case: up to k = 22 the process start and the event heap, beyond that cache misses
on the flows' routes; the rates of max-min fairness need a few more passes over each flow's route.

    python3 benchmarks/flow.py
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

BINARY = Path(__file__).parents[1] / "simulators" / "target" / "release" / "weft-flow"
#: Recorded CPU seconds of SimGrid 3.32 for k = 16.
SIMGRID_CPU_S = 23.4
SIMGRID_RATIO = 100


@dataclass(frozen=True)
class Case:
    """One run, its bars and what the paper printed for MFS."""

    k: int
    model: str
    bar_cpu_s: float | None = None
    bar_mb: float | None = None
    paper: str = ""


CASES = (
    Case(16, "equal_share", 0.05, 12, "2.9 s, 27 MB"),
    Case(22, "equal_share", 0.20, None, "8.7 s, 71 MB"),
    Case(34, "equal_share", None, None, "67.0 s, 263 MB as k = 34"),
    Case(36, "equal_share", 1.5, 90, "67.0 s, 263 MB as 46,656 nodes"),
    Case(50, "equal_share", None, 300),
    Case(16, "max_min", SIMGRID_CPU_S / SIMGRID_RATIO),
    Case(22, "max_min"),
    Case(36, "max_min"),
)


def shard(case: Case, tables: tuple[str, ...] = ()) -> dict:
    """The shard file of a case."""
    nodes = case.k**3
    point = {
        "point_id": f"{case.model}-{case.k}",
        "digest": "benchmark",
        "engine": "flow",
        "seed": 1,
        "topology": {
            "kind": "fat_tree", "k": case.k, "levels": 3, "routing": "dmodk", "nodes": nodes,
        },
        "network": {"bandwidth_bytes_per_s": 125e6, "latency_s": 0.0, "hop_latency_s": 0.0},
        "workload": {
            "kind": "messages", "pattern": "uniform", "per_node": 10, "outstanding": 1,
            "message_bytes": [125], "include_self": False,
        },
        "options": {"model": case.model, "tables": list(tables)},
    }  # fmt: skip
    return {"schema": 1, "engine": "flow", "shard": "benchmark", "points": [point]}


def usage_of(command: list[str], good_codes: tuple[int, ...] = (0,)) -> tuple[float, str]:
    """CPU seconds and standard output of a process that ends with one of the good exit codes."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    output = process.stdout.read() if process.stdout else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in good_codes:
        raise SystemExit(f"{' '.join(command)} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime, output


def measure(case: Case, folder: Path, tables: tuple[str, ...] = ()) -> tuple[float, float, float]:
    """CPU seconds and peak megabytes of one process, and the simulated makespan in seconds."""
    source, journal = folder / "in.json", folder / "journal.jsonl"
    source.write_text(json.dumps(shard(case, tables)))
    journal.unlink(missing_ok=True)
    command = [str(BINARY), "run", "--shard", str(source), "--out", str(folder), "--threads", "1"]
    cpu_s, _ = usage_of(command)
    line = json.loads(journal.read_text())
    metrics = {metric["metric"]: metric["value"] for metric in line["metrics"]}
    return cpu_s, line["peak_rss_bytes"] / 1e6, metrics["makespan_s"]


def simgrid_python() -> str | None:
    """An interpreter that has SimGrid, if any."""
    for python in dict.fromkeys((sys.executable, "python3", "/usr/bin/python3")):
        try:
            found = subprocess.run([python, "-c", "import simgrid"], capture_output=True)
        except OSError:
            continue
        if found.returncode == 0:
            return python
    return None


def simgrid_cpu_s(case: Case, folder: Path) -> tuple[float, str]:
    """CPU seconds of SimGrid on the same messages, and where the number comes from."""
    python = simgrid_python()
    if python is None:
        return SIMGRID_CPU_S, "recorded, SimGrid is not installed"
    _, _, makespan_s = measure(case, folder, ("messages",))
    messages = folder / f"messages-{case.model}-{case.k}.csv"
    program = Path(__file__).with_name("flow_simgrid.py")
    cpu_s, output = usage_of([python, str(program), str(case.k), str(messages)])
    difference = abs(float(output.split()[-1]) / makespan_s - 1)
    return cpu_s, f"measured now, makespans differ by {difference:.0e}"


def main() -> int:
    """Print the table; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="runs per case, the fastest counts")
    runs = parser.parse_args().runs
    if not BINARY.exists():
        raise SystemExit("build first: cargo build --release --manifest-path simulators/Cargo.toml")
    with tempfile.TemporaryDirectory() as folder:
        return table(runs, Path(folder))


def table(runs: int, folder: Path) -> int:
    """Measure and print; 1 if a bar is missed."""
    missed = 0
    form = "{:<12} {:>3} {:>8} {:>8} {:>8} {:>8} {:>8} {:>12}  {}"
    print(form.format("model", "k", "nodes", "CPU s", "bar", "MB", "bar", "makespan us", "paper"))
    cpu_s = {}
    for case in CASES:
        results = [measure(case, folder) for _ in range(runs)]
        cpu, megabytes = (min(result[i] for result in results) for i in (0, 1))
        cpu_s[case] = cpu
        bars = ((cpu, case.bar_cpu_s), (megabytes, case.bar_mb))
        missed += any(bar is not None and value > bar for value, bar in bars)
        shown = [f"{cpu:.3f}", f"{case.bar_cpu_s:.3f}" if case.bar_cpu_s else "-"]
        shown += [f"{megabytes:.1f}", str(case.bar_mb or "-"), f"{results[0][2] * 1e6:.3f}"]
        print(form.format(case.model, case.k, f"{case.k**3:,}", *shown, case.paper), flush=True)
    fair = next(case for case in CASES if case.model == "max_min")
    reference, origin = simgrid_cpu_s(fair, folder)
    ratio = reference / max(cpu_s[fair], 1e-3)
    print(f"\nSimGrid 3.32, max-min, k = {fair.k}: {reference:.1f} CPU s ({origin})")
    print(f"weft needs {ratio:.0f} times less (bar {SIMGRID_RATIO})")
    missed += ratio < SIMGRID_RATIO
    print("all bars met" if not missed else f"{missed} bars missed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())

"""What a campaign of many experiments costs: all of them, none of them, and one that changed.

Writes growing numbers of experiments with 50 points each into a folder of their own beside a
temporary project, and runs them all by `weft --experiments`; with `--inside` they lie in the
project, and `snakemake` runs them. Exit code 1 if a command of the largest campaign costs more
than `BAR` times as much for each experiment as the same command of the smallest one.

    python benchmarks/campaign.py [--inside]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import duckdb
from overhead import Cost, cost, project

CAMPAIGNS = (10, 30, 100)
POINTS = 50
#: Linear, with what two measurements of the same command may differ by.
BAR = 1.2
WEFT = [sys.executable, "-c", "from weft.command.commands import main; main()"]
EXPERIMENT = """
title: Campaign {number}
question: What does a campaign cost?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {{dimensions: 2}}
network: {{latency: {latency_ns} ns}}
sweep:
  topology.k: {{from: 2, to: 6}}
  workload.per_node: {{from: 1, to: 10}}
figures:
  - line: {{x: topology.k, y: makespan_s}}
"""


def write(folder: Path, number: int, latency_ns: int) -> None:
    """Write experiment `number` with its own latency, so that no two have a point in common."""
    text = EXPERIMENT.format(number=number, latency_ns=latency_ns)
    (folder / f"campaign{number}.yaml").write_text(text)


def measured(folder: Path, count: int, inside: bool) -> dict[str, Cost]:
    """The costs of `count` experiments in the empty `folder`, by what each command is for."""
    clone, own = folder / "clone", folder / "own"
    clone.mkdir()
    project(clone)
    experiments = (clone / "configs" if inside else own) / "experiment"
    experiments.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        write(experiments, number, 1_000 + number)
    weft = [*WEFT, "--project", str(clone), *([] if inside else ["--experiments", str(own)])]
    names = [f"campaign{number}" for number in range(count)]
    everything = [*weft, "run", *names, "--cores", "2"]
    if inside:
        everything = [sys.executable, "-m", "snakemake", "--cores", "2"]
    found = {"all": cost(everything, clone), "nothing to be done": cost(everything, clone)}
    write(experiments, 0, 2 * 1_000 + count)
    found["one changed"] = cost(everything, clone)
    write(experiments, 0, 3 * 1_000 + count)
    found["one changed, run alone"] = cost([*weft, "run", names[0], "--cores", "2"], clone)
    found["weft list"] = cost([*weft, "list"], clone)
    found["weft status"] = cost([*weft, "status"], clone)
    check_rows((clone if inside else own) / "results/weft.duckdb", count)
    return found


def check_rows(database: Path, count: int) -> None:
    """Ends the benchmark where the database has other rows than one of each point."""
    with duckdb.connect(str(database), read_only=True) as opened:
        query = "SELECT count(*), count(DISTINCT point_id) FROM runs WHERE status = 'done'"
        found = opened.execute(query).fetchone()
    if found != (count * POINTS, count * POINTS):
        raise SystemExit(f"rows of runs and their points: {found} of {count * POINTS}")


def steeper(costs: Mapping[int, dict[str, Cost]]) -> list[str]:
    """The commands whose cost grows faster than the number of experiments, each with its ratio."""
    few, many = min(costs), max(costs)
    ratios = {
        step: costs[many][step].cpu_s / many / (costs[few][step].cpu_s / few) for step in costs[few]
    }
    return [f"{step}: {ratio:.2f}" for step, ratio in ratios.items() if ratio > BAR]


def main() -> int:
    """Print the table; 1 if a cost is worse than linear."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("counts", type=int, nargs="*", default=CAMPAIGNS)
    parser.add_argument("--inside", action="store_true", help="experiments lie in the project")
    asked = parser.parse_args()
    costs = {}
    print(
        f"{'experiments':>11}  {'command':<24} {'CPU s':>7} {'of each':>8} {'wall s':>7} {'MB':>5}"
    )
    for count in asked.counts:
        with tempfile.TemporaryDirectory() as name:
            costs[count] = measured(Path(name), count, asked.inside)
        for step, each in costs[count].items():
            numbers = f"{each.cpu_s:>7.1f} {each.cpu_s / count:>8.3f} {each.wall_s:>7.1f}"
            print(f"{count:>11}  {step:<24} {numbers} {each.peak_mb:>5.0f}", flush=True)
    worse = steeper(costs)
    print(*(f"worse than linear: {line}" for line in worse), sep="\n")
    return int(bool(worse))


if __name__ == "__main__":
    sys.exit(main())

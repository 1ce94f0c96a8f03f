"""A million points, computed as a whole: what each part of weft costs, and whether all is there.

Plans, simulates, collects and writes the page in a temporary folder, one command after the other.
Each command plans anew, so its cost holds that of planning. Exit code 1 where a point is missing or
doubled, or planning and collecting together miss their bars.

    nice python benchmarks/million.py [POINTS] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import duckdb
from overhead import Cost, experiment, project, snakemake

POINTS = 1_000_000
BAR_CPU_S, BAR_MB = 240.0, 2_000.0
NAME = "million"
PAGE = f"reports/{NAME}.html"
#: What each command is for, and its arguments.
STEPS = {
    "plan (-n)": ("-n", PAGE),
    "simulate": ("--cores", "2", "--until", "simulate", "--", PAGE),
    "collect": ("--cores", "2", f"results/{NAME}/collected.json"),
    "report": ("--cores", "2", PAGE),
    "nothing to be done": ("--cores", "2", PAGE),
}


def measured(folder: Path) -> dict[str, Cost]:
    """The cost of each step."""
    found = {}
    print(f"{'step':>20} {'CPU s':>7} {'wall s':>7} {'MB':>6}")
    for step, arguments in STEPS.items():
        started = time.time()
        found[step] = each = snakemake(folder, *arguments)
        print(f"{step:>20} {each.cpu_s:>7.1f} {each.wall_s:>7.1f} {each.peak_mb:>6.0f}", flush=True)
    if (folder / PAGE).stat().st_mtime > started:
        raise SystemExit("the last command wrote the page again")
    return found


def check_rows(folder: Path, points: int) -> None:
    """Ends the benchmark where the database has other rows than one of each point."""
    with duckdb.connect(str(folder / "results/weft.duckdb"), read_only=True) as database:
        asked = "count(*), count(DISTINCT point_id), count(*) FILTER (status = 'done')"
        query = f"SELECT {asked} FROM runs WHERE experiment = '{NAME}'"
        found = database.execute(query).fetchone()
    print(f"rows of runs: {found} of {points:,}")
    if found != (points, points, points):
        raise SystemExit("rows are missing or doubled")


def main() -> int:
    """Print the table; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("points", type=int, nargs="?", default=POINTS)
    parser.add_argument("--keep", type=Path, help="an empty folder that stays")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = project(asked.keep or Path(name))
        experiment(folder, NAME, asked.points)
        found = measured(folder)
        check_rows(folder, asked.points)
    plan, collect = found["plan (-n)"], found["collect"]
    peak_mb = max(plan.peak_mb, collect.peak_mb)
    print(f"plan and collect: {collect.cpu_s:.0f} CPU s (bar {BAR_CPU_S:.0f}), {peak_mb:.0f} MB")
    return int(collect.cpu_s > BAR_CPU_S or peak_mb > BAR_MB)


if __name__ == "__main__":
    sys.exit(main())

"""What weft costs beside its simulators, in CPU seconds (user and system, children included).

Planning and job graph for growing sweeps, one local job, one start of a container, one Slurm job
(where a cluster and images are at hand), and a whole sweep of 10,000 points with its report. Works
in a temporary folder whose `results` nobody else sees. Exit code 1 if the bar is missed.

    python benchmarks/overhead.py
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("Snakefile", "workflow", "profiles", "slurm", "envs", "hardware", "simulators")
PLANNED = (100, 1_000, 10_000, 100_000, 1_000_000)
SWEPT = 10_000
BAR_CPU_S = 60.0
JOBS = 20
STARTS = 10
EXPERIMENT = """
title: Overhead
question: What does the pipeline itself cost?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
engine: {{flow: {{shard_points: {shard_points}}}}}
topology: {{dimensions: 2}}
sweep:
  topology.k: {{from: 2, to: 11}}
  workload.per_node: {{from: 1, to: 10}}
replicates: {replicates}
"""


@dataclass(frozen=True)
class Cost:
    """What one command took."""

    cpu_s: float
    wall_s: float
    peak_mb: float


def cost(command: list[str], folder: Path) -> Cost:
    """Run `command` in `folder`; ends the benchmark with its output if it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow")}
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            raise SystemExit(output.read().decode(errors="replace"))
    wall_s = time.monotonic() - started
    return Cost(usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss / 1024)


def snakemake(folder: Path, *arguments: str) -> Cost:
    """One call of Snakemake."""
    return cost([sys.executable, "-m", "snakemake", *arguments], folder)


def project(folder: Path) -> Path:
    """A project with this one's code and its own experiments and results."""
    for name in PARTS:
        (folder / name).symlink_to(ROOT / name)
    for name in ("configs", "containers"):
        shutil.copytree(ROOT / name, folder / name, symlinks=True)
    shipped = folder / "configs/experiment"
    shutil.rmtree(shipped)
    shipped.mkdir()
    return folder


def experiment(folder: Path, name: str, points: int, shard_points: str = "null") -> str:
    """Write an experiment of `points` points (a multiple of 100); its collection as a target."""
    text = EXPERIMENT.format(replicates=points // 100, shard_points=shard_points)
    (folder / f"configs/experiment/{name}.yaml").write_text(text)
    return f"results/{name}/collected.json"


def planning(folder: Path) -> None:
    """Planning and job graph, as `snakemake -n` does both."""
    print(f"{'points':>8} {'shards':>7} {'CPU s':>7} {'again':>7} {'MB':>6}")
    for points in PLANNED:
        target = experiment(folder, "planned", points)
        first, again = snakemake(folder, "-n", target), snakemake(folder, "-n", target)
        shards = len(list((folder / "results/planned/shards").iterdir()))
        numbers = f"{first.cpu_s:>7.1f} {again.cpu_s:>7.1f} {again.peak_mb:>6.0f}"
        print(f"{points:>8,} {shards:>7} {numbers}", flush=True)
        shutil.rmtree(folder / "results")
    (folder / "configs/experiment/planned.yaml").unlink()


def per_job(folder: Path, name: str, *arguments: str) -> Cost:
    """One job with next to nothing to compute: a hundred points in `JOBS` jobs."""
    target = experiment(folder, name, 100, str(100 // JOBS))
    planned = snakemake(folder, "-n", target)
    whole = snakemake(folder, target, *arguments)
    (folder / f"configs/experiment/{name}.yaml").unlink()
    return Cost((whole.cpu_s - planned.cpu_s) / JOBS, whole.wall_s / JOBS, whole.peak_mb)


def container_start(folder: Path) -> Cost | None:
    """One start of the image of `flow`; None where it is not built or nothing can run it."""
    from weft.images import ImageError, exec_command, image_file

    try:
        command = [*exec_command(image_file("flow")), "/bin/bash", "-c", ":"]
    except ImageError:
        return None
    if not image_file("flow").exists():
        return None
    starts = [cost(command, folder) for _ in range(STARTS)]
    return min(starts, key=lambda each: each.cpu_s)


def machine_cpu_s() -> float:
    """CPU seconds that this machine has worked since it started, whoever for."""
    user, nice, system, _idle, _wait, irq, softirq = (
        int(word) for word in Path("/proc/stat").read_text().split()[1:8]
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def slurm_job(folder: Path) -> None:
    """One Slurm job: what the submitting side took, and all of this machine.

    The second number holds the jobs themselves only where the nodes are on this machine, as in
    `tests/cluster`, and nothing else runs.
    """
    before = machine_cpu_s()
    here = per_job(folder, "slurm", "--profile", "slurm", "--sdm", "env-modules")
    everywhere_s = (machine_cpu_s() - before) / JOBS
    words = f"{everywhere_s:.1f} CPU s on this whole machine, {here.wall_s:.1f} s elapsed"
    print(f"one Slurm job of {JOBS}: {here.cpu_s:.2f} CPU s of the executor, {words}")


def has_cluster() -> bool:
    """Whether Slurm answers here."""
    asked = ["sinfo", "--noheader"]
    return (
        shutil.which("sbatch") is not None
        and not subprocess.run(asked, capture_output=True, check=False).returncode
    )


def whole_sweep(folder: Path) -> float:
    """CPU seconds of a sweep with its report, without those of the simulator."""
    experiment(folder, "swept", SWEPT)
    whole = snakemake(folder, "--cores", "2", "reports/swept.html")
    journals = (folder / "results/swept").glob("flow/*/journal.jsonl")
    lines = [json.loads(line) for path in journals for line in path.read_text().splitlines()]
    simulated_s = sum(line["cpu_s"] for line in lines)
    own_s = whole.cpu_s - simulated_s
    others = f"{simulated_s:.0f} of weft-flow, {whole.wall_s:.0f} s elapsed"
    print(f"\n{SWEPT:,} points to their report: {own_s:.0f} CPU s (bar {BAR_CPU_S:.0f}), {others}")
    return own_s


def main() -> int:
    """Print the tables; 1 if the bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slurm", action="store_true", help="send jobs to the cluster, too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=ROOT if asked.slurm else None) as name:
        folder = project(Path(name))
        planning(folder)
        local = per_job(folder, "local", "--cores", "2")
        print(f"\none local job: {local.cpu_s:.2f} CPU s")
        started = container_start(folder)
        words = f"{started.cpu_s:.2f} CPU s, {started.wall_s:.2f} s" if started else "no image"
        print(f"one container start: {words}")
        if asked.slurm and has_cluster():
            slurm_job(folder)
    # A project without history, in which planning cannot know how quick the points are.
    with tempfile.TemporaryDirectory() as name:
        return int(whole_sweep(project(Path(name))) > BAR_CPU_S)


if __name__ == "__main__":
    sys.exit(main())

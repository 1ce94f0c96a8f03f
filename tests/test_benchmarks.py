"""Benchmarks start: what they measure is for a quiet machine."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.slow
def test_the_project_of_benchmarks_plans_an_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    overhead = __import__("overhead")
    monkeypatch.setitem(sys.modules, "overhead", overhead)
    folder = overhead.project(tmp_path)
    target = overhead.experiment(folder, "planned", 100)
    assert overhead.snakemake(folder, "-n", target).cpu_s > 0
    assert list((folder / "results" / "planned" / "shards").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in BENCHMARKS.glob("*.py")))
def test_a_benchmark_that_is_asked_for_help_runs_nothing(name: str) -> None:
    done = subprocess.run(
        [sys.executable, BENCHMARKS / name, "--help"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: {name} ")


@pytest.mark.slow
def test_without_simgrid_its_benchmark_says_so_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-S", BENCHMARKS / "flow_simgrid.py", "2", "messages.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "flow_simgrid.py: needs the Python interface of SimGrid: apt-get install python3-simgrid"
    ]

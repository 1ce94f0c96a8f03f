"""Benchmarks start: what they measure is for a quiet machine."""

import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_project_of_benchmarks_plans_an_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "benchmarks")
    overhead = __import__("overhead")
    monkeypatch.setitem(sys.modules, "overhead", overhead)
    folder = overhead.project(tmp_path)
    target = overhead.experiment(folder, "planned", 100)
    assert overhead.snakemake(folder, "-n", target).cpu_s > 0
    assert list((folder / "results" / "planned" / "shards").iterdir())

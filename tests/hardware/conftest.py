"""Shards to measure, and measuring programs that misbehave."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from weft.engines.base import ShardJob
from weft.engines.hardware.engine import SOURCES, HardwareEngine
from weft.machine import MachineFile

#: The budget is large, so that a busy machine does not cut repetitions.
FAST = {"repetitions": 20, "warmup": 3, "budget_s": 300.0}


def make_point(name: str, sizes: list[int], program: str = "pingpong") -> dict[str, Any]:
    return {
        "point_id": name,
        "digest": f"digest-{name}",
        "engine": "hardware",
        "workload": {
            "kind": "program",
            "program": program,
            "ranks": 2,
            "message_bytes": sizes,
        },
        "options": FAST,
        "seed": 1,
    }


@pytest.fixture
def make_job(tmp_path: Path) -> Callable[..., ShardJob]:
    def make(
        points: list[dict[str, Any]], *, image: Path | None = None, **machine: Any
    ) -> ShardJob:
        return ShardJob(
            shard={"engine": "hardware", "engine_version": "test", "points": points},
            shard_file=tmp_path / "shard.json",
            directory=tmp_path / "out",
            threads=2,
            log=tmp_path / "logs" / "run.log",
            image=image,
            machine=MachineFile.read(machine),
        )

    return make


@pytest.fixture
def engine_of(tmp_path: Path) -> Callable[[str], HardwareEngine]:
    """An engine whose pingpong is the given C program."""

    def make(source: str) -> HardwareEngine:
        project = tmp_path / "project"
        for folder in ("hardware", "programs"):
            shutil.copytree(
                SOURCES.parent / folder,
                project / folder,
                ignore=shutil.ignore_patterns("build"),
                dirs_exist_ok=True,
            )
        (project / "programs" / "pingpong.c").write_text(source)
        return HardwareEngine(project / "hardware")

    return make

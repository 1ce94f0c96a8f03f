"""Jobs for engines, without Snakemake."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.engines.base import ShardJob


@pytest.fixture
def job(tmp_path: Path) -> Callable[..., ShardJob]:
    """A job below the test's folder; keys of the shard and of the job can be given."""

    def make(
        engine_version: str = "1", image: Path | None = None, points: list[object] | None = None
    ) -> ShardJob:
        folder = tmp_path / "results" / "x"
        folder.mkdir(parents=True)
        shard = {"schema": 1, "engine_version": engine_version, "points": points or []}
        file = folder / "input.json"
        file.write_text(json.dumps(shard))
        return ShardJob(shard, file, folder, 1, folder / "run.log", image)

    return make

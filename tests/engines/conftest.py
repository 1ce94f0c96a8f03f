"""Jobs for engines, without Snakemake, and the image of `flow`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.engines.base import ShardJob
from weft.images import ImageError, find_runtime
from weft.images.build import ensure_image

from tests.missing import missing


@pytest.fixture(scope="session")
def flow_image() -> Path:
    """The image of `flow`, built if it is missing; where no image can run, tests are skipped."""
    try:
        find_runtime()
    except ImageError as error:
        missing(str(error))
    return ensure_image("flow")


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

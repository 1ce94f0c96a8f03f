"""The image in which each shard is computed."""

from __future__ import annotations

import json
from collections.abc import Container
from pathlib import Path

from weft.engines import engine
from weft.files.layout import Results
from weft.images import image_file
from weft.machine import MachineFile
from weft.plan.model import Shard
from weft.plan.plan import Plan

#: Modes of a machine in which its programs come from an image.
IN_IMAGES = ("hybrid", "bind")


def engine_image(name: str, machine: MachineFile, containers: bool) -> Path | None:
    """The image of engine `name`, which need not be built yet; None if it runs without.

    Raises weft.images.ImageError when there is no definition for it.
    """
    found = engine(name)
    wanted = machine.mode in IN_IMAGES if found.kind == "hardware" else containers
    return _shown(image_file(found.image)) if found.image and wanted else None


def _shown(path: Path) -> Path:
    """As rules name it: relative to the project's folder, where Snakemake runs."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def shard_images(
    plan: Plan, results: Path, containers: bool, obstacles: Container[str] = ()
) -> dict[str, str]:
    """The image by shard, without those that need none, and of engines with `obstacles`.

    A finished shard keeps the image that it had: another would make it look out of date, and
    what can change a number is in the engine's version already.
    """
    found: dict[str, str] = {}
    for shard in plan.shards:
        image = _recorded(plan.experiment, shard, results)
        if image is None and shard.engine not in obstacles:
            wanted = engine_image(shard.engine, plan.machine, containers)
            image = str(wanted) if wanted else ""
        if image:
            found[shard.shard_id] = image
    return found


def _recorded(experiment: str, shard: Shard, results: Path) -> str | None:
    """The content of `status.json`; None for a shard that is unfinished or to be run again."""
    mine = Results(results).experiment(experiment)
    status, order = mine.shard(shard.engine, shard.shard_id).status, mine.order(shard.shard_id)
    try:
        if order.stat().st_mtime_ns > status.stat().st_mtime_ns:
            return None
        return str(json.loads(status.read_text()).get("image") or "")
    except (OSError, ValueError):
        return None

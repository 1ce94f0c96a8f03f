"""Shards that have begun and not ended: what they have finished becomes a shard of its own.

A page and an archive are made of shards that have ended. Of one that was stopped or killed, points
count as soon as the journal has them, so they are put into a shard that ends with them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from weft.engines.base import EngineError, ShardJob
from weft.engines.computing import with_computing
from weft.engines.jobs import read_jobs
from weft.engines.journal import finished, mend
from weft.engines.measured_hosts import read_placements
from weft.engines.order import ResolvedOrder, ShardOrder
from weft.engines.places import IMAGES
from weft.engines.printed import print_again
from weft.engines.results import write_results
from weft.engines.shards import read_shard, resolve
from weft.engines.side_files import side_files
from weft.files import open_lock, replace_text, sealed, take_lock
from weft.files.calibrations import read_calibration
from weft.files.layout import ExperimentFolder, ShardFolder
from weft.machine import MachineFile
from weft.plan.model import needs_calibration, needs_placement, shard_of
from weft.plan.spec import Calibration


@dataclass(frozen=True, slots=True)
class Divided:
    """A shard that has begun, and whose finished points are now in another one."""

    shard_id: str
    order: Path
    left: ShardFolder

    def remove(self) -> None:
        """Once a plan names the other one, nobody needs it."""
        self.order.unlink(missing_ok=True)
        shutil.rmtree(self.left.path, ignore_errors=True)


def has_begun(left: ShardFolder) -> bool:
    """Whether the shard of a folder has ended a point, or a job is at work in it."""
    if left.status.exists() or (left.journal.exists() and left.journal.stat().st_size):
        return True
    lock = left.path / "lock"
    if not lock.exists():
        return False
    try:
        with open_lock(lock) as file:
            return not take_lock(file)
    except OSError:
        return True


def end_finished(folder: ExperimentFolder, versions: Mapping[str, str]) -> list[Divided]:
    """End the shards of `folder` that have begun with the points that they have finished.

    Only those whose engine has the version in `versions`. Returns those that have points left.
    """
    return [found for path in sorted(folder.orders()) if (found := _ended(path, folder, versions))]


def _ended(path: Path, folder: ExperimentFolder, versions: Mapping[str, str]) -> Divided | None:
    try:
        order = read_shard(path)
    except (OSError, EngineError):
        return None
    left = folder.shard(order["engine"], path.stem)
    begun = left.journal.exists() and not left.status.exists()
    if not begun or versions.get(order["engine"]) != order["engine_version"]:
        return None
    with open_lock(left.path / "lock") as lock:
        if not take_lock(lock):
            print(f"weft: {left.path} is still computed: it does not count yet", file=sys.stderr)
            return None
        _drop_links(left.path)
        try:
            mend(left.journal)
            part = _part(order, _resolved(order, folder), finished(left.journal))
        except (OSError, ValueError, EngineError) as error:
            print(f"weft: {left.path} does not count: {error}", file=sys.stderr)
            return None
        if not part["points"]:
            return None
        ended = folder.shard(part["engine"], part["shard"])
        if not ended.status.exists():
            if ended != left:
                _copy(part, left, ended)
                replace_text(folder.order(part["shard"]), sealed(part))
            _write(part, folder, ended)
        return Divided(path.stem, path, left) if ended != left else None


def _part(order: ShardOrder, resolved: ResolvedOrder, known: Collection[str]) -> ShardOrder:
    """The order of those points that the journal knows."""
    points = [
        planned
        for planned, point in zip(order["points"], resolved["points"], strict=True)
        if point["digest"] in known
    ]
    ids = [point["point_id"] for point in points]
    attempts = {name: number for name, number in order["attempts"].items() if name in ids}
    name = shard_of(order["engine"], order["engine_version"], ids).shard_id
    return {**order, "shard": name, "points": points, "attempts": attempts}


def _resolved(order: ShardOrder, folder: ExperimentFolder) -> ResolvedOrder:
    points = order["points"]
    waits = any(needs_placement(point["options"]) for point in points)
    measured = read_placements(folder.placement) if waits else None
    return resolve(order, _fitted(order, folder), measured)


def _fitted(order: ShardOrder, folder: ExperimentFolder) -> Calibration | None:
    waits = any(needs_calibration(point["network"]) for point in order["points"])
    return cast("Calibration", read_calibration(folder.calibration)) if waits else None


def _drop_links(folder: Path) -> None:
    """A program that was killed may have left links, and nobody has looked at its outputs since."""
    for path in folder.iterdir():
        if path.is_symlink():
            path.unlink()


def _copy(part: ShardOrder, left: ShardFolder, ended: ShardFolder) -> None:
    """What a shard has left of the points of `part`."""
    shutil.rmtree(ended.path, ignore_errors=True)
    ended.path.mkdir(parents=True)
    for path in (left.journal, left.jobs, left.log, left.printed, left.left_out):
        with suppress(FileNotFoundError):
            shutil.copy2(path, ended.path)
    for path in side_files(left.path, [point["point_id"] for point in part["points"]]):
        _link(path, ended.path / path.name)


def _link(source: Path, target: Path) -> None:
    # Traces have gigabytes, and nobody writes into them again.
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _write(part: ShardOrder, folder: ExperimentFolder, ended: ShardFolder) -> None:
    """Its tables and its status; nothing is computed."""
    print_again(ended, [point["point_id"] for point in part["points"]])
    resolved = _resolved(part, folder)
    machine = MachineFile.read(resolved.pop("machine", {}))
    image = next((each.get("image") for each in reversed(read_jobs(ended.path))), None)
    job = ShardJob(
        resolved,
        ended.path / "input.json",
        ended.path,
        threads=1,
        log=ended.log,
        image=IMAGES / image if image else None,
        machine=machine,
    )
    timed = with_computing(job, resolved["points"], folder)
    write_results(job, _fitted(part, folder), timed.measured)

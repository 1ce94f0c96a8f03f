"""The files of an experiment's results that an archive holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.engines.results import LEFT
from weft.files.layout import ExperimentFolder, ShardFolder
from weft.plan.outcome import read_outcome
from weft.plan.plan import Plan
from weft.plan.stored import points_file, read_plan


def result_files(plan: Plan, folder: ExperimentFolder) -> Iterator[Path]:
    """Plan, orders, and what every finished shard of the plan has left.

    Raises DamagedError for a file that is not as it was written.
    """
    yield folder.plan
    yield points_file(folder.plan)
    yield from _there(folder.variant, folder.calibration)
    for shard in plan.shards:
        yield from _there(folder.order(shard.shard_id))
        left = folder.shard(shard.engine, shard.shard_id)
        outcome = read_outcome(left.path)
        if outcome is not None:
            yield left.status
            yield from (left.path / name for name in outcome.files)
            yield from _there(left.jobs, left.log, left.benchmark)
            yield from histories(left)


def runs_tables(plan: Plan, folder: ExperimentFolder) -> Iterator[Path]:
    """The table `runs` of every finished shard."""
    for shard in plan.shards:
        left = folder.shard(shard.engine, shard.shard_id)
        if left.status.is_file():
            yield from _there(left.table("runs"))


def with_compared(folders: Sequence[ExperimentFolder]) -> list[ExperimentFolder]:
    """The experiments, and those that their pages show beside them, each once."""
    found = {folder.name: folder for folder in folders}
    for folder in folders:
        for name in read_plan(folder.plan).report.compare or ():
            other = folder.results.experiment(name)
            if other.plan.is_file() and other.stamp.is_file():
                found.setdefault(name, other)
    return list(found.values())


def asked_files(plan: Plan, root: Path) -> Iterator[Path]:
    """Files of the project that points name: programs, lists of messages, networks."""
    named: set[str] = set()
    for part in ("topology", "workload"):
        for text in plan.points.shared(part):
            spec = json.loads(text) if text else {}
            named |= {str(spec[key]) for key in ("file", "source", "input") if spec.get(key)}
    for name in sorted(named):
        path = root / name
        if not Path(name).is_absolute() and ".." not in Path(name).parts and path.is_file():
            yield path


def histories(left: ShardFolder) -> Iterator[Path]:
    """Files that a shard left for people rather than for tables."""
    for pattern in LEFT.values():
        yield from sorted(left.path.glob(pattern.format(point_id="*")))


def _there(*paths: Path) -> Iterator[Path]:
    return (path for path in paths if path.is_file())

"""The files of an experiment's results that an archive holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from weft.config.model.program_files import build_files
from weft.files.layout import ExperimentFolder
from weft.plan.model import short_digest
from weft.plan.outcome import read_outcome
from weft.plan.plan import Plan
from weft.plan.stored import points_file, read_plan

#: The folder of an archive for files that lie outside of the project.
OUTSIDE = "outside"


def result_files(plan: Plan, folder: ExperimentFolder) -> Iterator[Path]:
    """Plan, orders, and what every finished shard of the plan has left.

    Raises DamagedError for a file that is not as it was written.
    """
    yield folder.plan
    yield points_file(folder.plan)
    yield from _there(folder.variant, folder.expectations, folder.calibration)
    yield from folder.measured_computing()
    for shard in plan.shards:
        yield from _there(folder.order(shard.shard_id))
        left = folder.shard(shard.engine, shard.shard_id)
        outcome = read_outcome(left.path)
        if outcome is not None:
            yield left.status
            yield from sorted({*(left.path / name for name in outcome.files), *left.left()})
            yield from _there(left.jobs, left.log, left.benchmark)


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


def asked_files(plan: Plan, root: Path, trees: Sequence[Path] = ()) -> Iterator[tuple[str, Path]]:
    """Files that points name, with their paths in the archive: programs, inputs, lists of messages,
    networks, tables of ranks.

    Files outside of the project `root` lie in `OUTSIDE`: those in one of `trees`, the folders of a
    user's own experiments, as they lie there; others in a folder named after their path, so that
    two of one name are both there and no folder of a user's is named.
    """
    named: set[str] = set()
    for part in ("topology", "workload", "options"):
        for text in plan.points.shared(part):
            whole = json.loads(text) if text else {}
            for spec in (whole, *whole.get("jobs", ())):
                keys = {key for key in spec if f"{key}_sha256" in spec} | {"file", "routes"}
                named |= {str(spec[key]) for key in keys if spec.get(key)}
                named.update(build_files(spec["build"]) if spec.get("build") else ())
    for name in sorted(named):
        path = root / name
        if path.is_file():
            inside = not Path(name).is_absolute() and ".." not in Path(name).parts
            yield name if inside else f"{OUTSIDE}/{_outside(path, trees)}", path


def _outside(path: Path, trees: Sequence[Path]) -> str:
    found = path.resolve()
    for tree in trees:
        if found.is_relative_to(tree):
            return found.relative_to(tree).as_posix()
    return f"{short_digest(str(found))}/{path.name}"


def _there(*paths: Path) -> Iterator[Path]:
    return (path for path in paths if path.is_file())

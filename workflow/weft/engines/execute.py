"""Runs one shard: resolve, compute what the journal lacks, turn the journal into Parquet."""

from __future__ import annotations

import fcntl
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, cast

from weft.engines.base import EngineError, ShardJob
from weft.engines.built_programs import with_built_programs
from weft.engines.computing import MeasuredComputing, with_computing
from weft.engines.graphs import prepare_graphs
from weft.engines.jobs import recorded
from weft.engines.journal import finished, mend
from weft.engines.measured_hosts import read_placements
from weft.engines.messages import prepare_messages
from weft.engines.order import ResolvedOrder
from weft.engines.printed import print_again
from weft.engines.registry import shard_engine
from weft.engines.results import write_results
from weft.engines.shards import read_shard, resolve
from weft.engines.side_files import forget_points_without
from weft.engines.traces import prepare_traces
from weft.engines.turns import turn_to_measure
from weft.engines.unmeasured import skip_unmeasured
from weft.files import replace_text, take_lock
from weft.files.calibrations import read_calibration
from weft.files.layout import ShardFolder
from weft.images.check import check_image
from weft.machine import MachineFile
from weft.plan.spec import Calibration

#: Whoever computes a shard holds this file of its folder.
LOCK = "lock"


def run_shard(
    shard_file: Path,
    calibration: Path | None,
    image: Path | None,
    directory: Path,
    threads: int,
    log: Path,
    placement: Path | None = None,
) -> None:
    """Compute the shard's missing points and write its tables and `status.json`.

    `directory` is `results/<experiment>/<engine>/<shard>`.

    Raises EngineError when the engine breaks; points that it finished stay in the journal.
    """
    directory.mkdir(parents=True, exist_ok=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    shard = read_shard(shard_file)
    fitted = _fitted(calibration) if calibration else None
    measured = read_placements(placement) if placement else None
    with only_one(directory):
        log.write_text("")
        with recorded(directory, image):
            job = _job(resolve(shard, fitted, measured), image, directory, threads, log)
            write_results(job, fitted, _compute(job))


def compute_when_idle(
    shard_file: Path, image: Path | None, directory: Path, threads: int, log: Path
) -> bool:
    """Compute the missing points of a simulated shard, if no other process does.

    Whether its journal then holds all. The tables, and `status.json`, are left to the shard's own
    job, which finds its points finished. A file system without locks cannot say whether the shard
    is free, so nothing is computed there.

    Raises EngineError as `run_shard` does.
    """
    resolved = resolve(read_shard(shard_file), None)
    job = _job(resolved, image, directory, threads, log)
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / LOCK).open("a") as file:
        if not _is_free(file):
            return False
        if len(_answered(job)) < len(job.shard["points"]):
            # Inherited by the simulator, as in `only_one`.
            fcntl.fcntl(file, fcntl.F_SETFD, 0)
            with recorded(directory, image, idle=True):
                _compute(job)
    return True


def _is_free(file: IO[str]) -> bool:
    """Lock an open file; False if another process has it, or where the file system cannot lock."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _job(
    resolved: ResolvedOrder, image: Path | None, directory: Path, threads: int, log: Path
) -> ShardJob:
    machine = MachineFile.read(resolved.pop("machine", {}))
    return ShardJob(resolved, directory / "input.json", directory, threads, log, image, machine)


def _compute(job: ShardJob) -> Mapping[str, MeasuredComputing]:
    """Compute what the journal lacks; the caller holds the lock. What was measured of computing."""
    if job.image:
        check_image(job.image)
    mend(job.journal)
    simulated = shard_engine(job.shard).kind != "hardware"
    forget_points_without(job, measured=not simulated)
    print_again(ShardFolder(job.directory), _answered(job))
    possible = skip_unmeasured(job)
    computing: Mapping[str, MeasuredComputing] = {}
    if simulated:
        mine = ShardFolder(job.directory).experiment
        programs = with_built_programs(possible)
        programs.report()
        timed = with_computing(programs.job, job.shard["points"], mine)
        possible, computing = timed.job, timed.measured
    if possible.shard["points"]:
        # Results are looked up by the points as planned, so only the engine gets others.
        listed = prepare_messages(possible.shard, job.directory)
        ready = replace(possible, shard=prepare_traces(listed, job.directory))
        _write_input(ready)
        _run(ready, results=ShardFolder(job.directory).results.path)
    return computing


def _answered(job: ShardJob) -> list[str]:
    known = finished(job.journal)
    return [point["point_id"] for point in job.shard["points"] if point["digest"] in known]


def _fitted(calibration: Path) -> Calibration:
    try:
        return cast("Calibration", read_calibration(calibration))
    except ValueError as error:
        raise EngineError(f"{error}, and run again: the fit is made anew") from error


def _run(job: ShardJob, results: Path) -> None:
    engine = shard_engine(job.shard)
    if engine.kind != "hardware":
        engine.run(job)
        return
    with turn_to_measure(results, job.machine):
        engine.run(job)


def _write_input(job: ShardJob) -> None:
    # What the planner notes about the engine does not concern the engine.
    shard = prepare_graphs(job.shard, job.directory)
    order = {key: value for key, value in shard.items() if key != "declared"}
    replace_text(job.shard_file, json.dumps(order, sort_keys=True))


@contextmanager
def only_one(directory: Path) -> Iterator[None]:
    """Hold the folder's lock; wait for a run that outlived a killed Snakemake.

    The kernel frees the lock when the last process that inherited it ends, for whatever reason.
    """
    with (directory / LOCK).open("w") as file:
        if not take_lock(file):
            print(f"waiting for an earlier run of {directory} to end", file=sys.stderr)
            take_lock(file, wait=True)
        # Inherited by the simulator: see NativeEngine.run.
        fcntl.fcntl(file, fcntl.F_SETFD, 0)
        yield

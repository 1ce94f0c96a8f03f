"""What runs and what failed, from the folders of the shards."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from weft.engines.jobs import read_jobs
from weft.engines.native import last_lines
from weft.files.layout import JOBS, JOURNAL, Results, ShardFolder
from weft.prepare.state.killed_run import how_it_ended
from weft.progress.duration import duration
from weft.read import Project, ReadError

LOG_LINES = 5
#: Failures that are shown in full; the page of an experiment has all of them.
MOST = 10


@dataclass(frozen=True, slots=True)
class WorkingShard:
    """One shard's folder, `results/<experiment>/<engine>/<shard>`."""

    folder: Path

    @property
    def name(self) -> str:
        """`halo · rdma · 3f2a…`."""
        return " · ".join(self.folder.parts[-3:])

    @property
    def plan(self) -> Path:
        """The plan of its experiment."""
        return ShardFolder(self.folder).experiment.plan

    def is_of(self, planned: frozenset[str] | None) -> bool:
        """Whether it is one of the `planned`; without a plan every shard is."""
        return planned is None or self.folder.name in planned

    def runs(self) -> bool:
        """Whether a process holds the shard's lock."""
        try:
            with (self.folder / "lock").open() as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False


def work_lines(project: Project, experiment: str | None) -> Iterator[str]:
    """Lines for a person: shards running, then shards that failed or have failed points.

    Raises ReadError for an experiment without results.
    """
    if experiment is not None and not project.left.results.experiment(experiment).path.is_dir():
        raise ReadError(f"'{experiment}' has no results: {project.run_command(experiment)}")
    pattern = f"{experiment or '*'}/*/*/{JOBS}"
    found = [WorkingShard(path.parent) for path in sorted(project.results.glob(pattern))]
    running = [shard for shard in found if shard.runs()]
    planned = {plan: _planned(plan) for plan in {shard.plan for shard in found}}
    shards = [each for each in found if each in running or each.is_of(planned[each.plan])]
    failures = [lines for shard in shards if shard not in running if (lines := _failure(shard))]
    yield f"{len(running)} of {len(shards)} shards running" if running else "Nothing runs now."
    yield from _killed_runs(project.left.results, experiment)
    yield from (_at_work(shard) for shard in running)
    if failures:
        yield f"{len(failures)} shard{'s' if len(failures) > 1 else ''} with failures"
    for lines in failures[:MOST]:
        yield from lines
    if len(failures) > MOST:
        yield f"… and {len(failures) - MOST} more"


def _killed_runs(results: Results, experiment: str | None) -> Iterator[str]:
    """A line for each experiment whose last run was killed."""
    for folder in sorted(results.path.glob(experiment or "*/")):
        lock = results.experiment(folder.name).lock
        with suppress(OSError), lock.open(errors="replace") as file:
            if ended := how_it_ended(file.read()):
                # Of a run that goes on, this raises.
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                yield f"  {folder.name} · {ended}"


def _planned(plan: Path) -> frozenset[str] | None:
    """The shards of `plan`; None where that cannot be read.

    Others stay on the disk: their engine had another version, or their points are not asked now.
    """
    try:
        shards = json.loads(plan.read_text())["shards"]
        return frozenset(str(shard["shard_id"]) for shard in shards)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _at_work(shard: WorkingShard) -> str:
    jobs = read_jobs(shard.folder)
    job = jobs[-1] if jobs else {}
    parts = [f"  {shard.name}", f"{_lines(shard.folder / JOURNAL):,} points in its journal"]
    if started := job.get("started_at"):
        age_s = (datetime.now(UTC) - datetime.fromisoformat(started)).total_seconds()
        parts.append(f"for {duration(age_s)}")
    return " · ".join([*parts, *([str(job["host"])] if job.get("host") else [])])


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _failure(shard: WorkingShard) -> list[str]:
    """Why a shard has no result, or which of its points failed; empty when all is well."""
    status = ShardFolder(shard.folder).status
    try:
        failed = json.loads(status.read_text())["failed"]
    except (OSError, ValueError, KeyError):
        jobs = read_jobs(shard.folder)
        job = jobs[-1] if jobs else {}
        what = job.get("slurm_state") or job.get("outcome") or "killed"
        detail = job.get("detail")
        return _failed(shard, f"{what}{f': {detail}' if detail else ''}")
    if not failed:
        return []
    reason = _reason(shard.folder / JOURNAL, str(failed[0]))
    count = f"{len(failed)} points failed" if len(failed) > 1 else "1 point failed"
    return _failed(shard, f"{count}; {failed[0]}: {reason}")


def _reason(journal: Path, point_id: str) -> str:
    try:
        lines = [
            line for line in journal.read_text(errors="replace").splitlines() if point_id in line
        ]
        return str(json.loads(lines[-1])["error"]).strip()
    except (OSError, ValueError, KeyError, IndexError):
        return "no reason was recorded"


def _failed(shard: WorkingShard, what: str) -> list[str]:
    log = ShardFolder(shard.folder).log
    try:
        tail = last_lines(log, LOG_LINES).splitlines()
    except OSError:
        tail = []
    return [f"  {shard.name} · {what}", *(f"    | {line}" for line in tail), f"    log: {log}"]
